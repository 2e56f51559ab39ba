/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a choice would make of the text: the displaced range's bytes before and after, and the
 * trampoline, emitted by the very code that weft.ko runs (runtime/trampoline.c) for one advice that
 * names nothing. Addresses that only a running kernel knows are made up and have names.
 */
#ifndef WV_PREVIEW_H
#define WV_PREVIEW_H

#include "runtime/trampoline.h"
#include "splice/choose.h"

struct wv_preview {
	uint64_t start;	/* of the displaced range */
	uint8_t size;
	uint8_t before[WEFT_DISPLACED_MAX], after[WEFT_DISPLACED_MAX];
	uint8_t slot[WEFT_JUMP_SIZE]; /* SPRINGBOARD: the bytes at the slot, after */
	struct wr_insn insns[WR_DISPLACED_INSNS];
	unsigned int instructions;
	uint64_t trampoline; /* its address */
	uint8_t *code;	/* @code_size bytes */
	size_t code_size;
};

/*
 * @bytes: @size of them, the text from @start on, with the displaced range of @choice (no refused
 *         one) in it. @sanitize: as WR_TRAMPOLINE_SANITIZE.
 */
int wv_preview_init(struct wv_preview *preview, const struct wv_choice *choice,
		    const uint8_t *bytes, size_t size, uint64_t start, uint32_t live, bool sanitize,
		    struct wv_error *error);
void wv_preview_deinit(struct wv_preview *preview);

/*
 * The name of something that @value stands for in the trampoline: an address that is branched to,
 * or an offset of a variable; NULL: it stands for itself.
 */
const char *wv_preview_name(uint64_t value);

#endif /* WV_PREVIEW_H */
