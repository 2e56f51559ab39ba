/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Previews of a choice: the bytes of the displaced range before and after splicing, and the
 * trampoline. It is emitted by the code that weft.ko runs (runtime/trampoline.c), for one advice
 * without arguments. Addresses that only a running kernel knows are replaced with named
 * placeholders.
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
	 * What wv_db_away() returns for this text: the distance in bytes from the kernel's text, a
	 * multiple of 4 GB, as the database lays modules out. The placeholders are moved by the
	 * same distance, so that they stay within reach of this text.
	 */
	uint64_t away;
	uint64_t trampoline; /* address of the trampoline: a placeholder */
	uint8_t *code;	/* the trampoline, @code_size bytes; owned */
	size_t code_size;
};

/*
 * Makes the preview of @choice, which must not be refused. @bytes: @size bytes of text from @start
 * on, including the displaced range. @away: as in the struct. @live: WR_BIT()s of the live
 * registers at the advice. @sanitize: as WR_TRAMPOLINE_SANITIZE.
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
