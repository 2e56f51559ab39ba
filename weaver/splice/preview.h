/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Previews a choice: the bytes of the displaced range before and after splicing, and the
 * trampoline. runtime/trampoline.c, which weft.ko also uses, emits the trampoline, for one advice
 * without arguments. Placeholders with names stand for the addresses that only a running kernel
 * knows.
 */
#ifndef WV_PREVIEW_H
#define WV_PREVIEW_H

#include "runtime/trampoline.h"
#include "splice/choose.h"

struct wv_preview {
	uint64_t start;	/* address of the displaced range */
	uint8_t size;
	uint8_t before[WEFT_DISPLACED_MAX], after[WEFT_DISPLACED_MAX];
	uint8_t slot[WEFT_JUMP_SIZE]; /* SPRINGBOARD: the bytes at the slot after splicing */
	struct wr_insn insns[WR_DISPLACED_INSNS];
	unsigned int instructions;
	/*
	 * What wv_db_away() returns for this text: its distance in bytes from the kernel's text. It
	 * is a multiple of 4 GB, because the database places modules so. The placeholders are moved
	 * by the same distance: otherwise a near jump from this text could not reach them.
	 */
	uint64_t away;
	uint64_t trampoline; /* address of the trampoline: a placeholder */
	uint8_t *code;	/* the trampoline, @code_size bytes; owned */
	size_t code_size;
};

/*
 * Makes the preview of @choice, which must not be refused. @bytes has @size bytes of text from the
 * address @start on, and includes the displaced range. @away is .away of the struct. @live has
 * WR_BIT()s: the registers that are live where the advice runs. @sanitize means the same as
 * WR_TRAMPOLINE_SANITIZE.
 */
int wv_preview_init(struct wv_preview *preview, const struct wv_choice *choice,
		    const uint8_t *bytes, size_t size, uint64_t start, uint64_t away, uint32_t live,
		    bool sanitize, struct wv_error *error);
void wv_preview_deinit(struct wv_preview *preview);

/*
 * The name of the placeholder @value in the preview's trampoline: a branch target, or the offset of
 * a variable; NULL: @value is not a placeholder.
 */
const char *wv_preview_name(const struct wv_preview *preview, uint64_t value);

#endif /* WV_PREVIEW_H */
