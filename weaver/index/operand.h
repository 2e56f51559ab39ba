/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fallback between column and line: the one instruction among those of a line whose
 * displacement is where DWARF says that the member lies, and which does with it what the access
 * does. An instruction that the compiler labelled for other members only is somebody else's, unless
 * one of them is what the access goes through.
 */
#ifndef WV_OPERAND_H
#define WV_OPERAND_H

#include "x86/decode.h"
#include "image/dwarf/debug.h"
#include "image/dwarf/lines.h"
#include "index/merge.h"

/* All zero finds nothing. */
struct wv_operands {
	struct wv_image *image;
	const struct wv_merge *merge;
	struct wv_decoder *decoder;
	WV_VEC(uint64_t) offsets; /* by field; WV_NO_OFFSET where DWARF has none */
	WV_VEC(struct wv_labelled {
		uint64_t address;
		uint32_t field;
	}) labels; /* by address */
};

#define WV_NO_OFFSET UINT64_MAX

/* @merge is sorted. @image must stay open. */
int wv_operands_init(struct wv_operands *operands, struct wv_image *image,
		     const struct wv_debug *debug, const struct wv_merge *merge,
		     struct wv_error *error);
void wv_operands_deinit(struct wv_operands *operands);

/* Whether the compiler labelled the instruction, for whatever member. */
bool wv_operands_labelled(const struct wv_operands *operands, uint64_t address);

/* Whether an instruction can be an access of this kind to a member at @offset. */
bool wv_operand_fits(unsigned int kind, uint64_t offset, const struct wv_insn *insn);

/*
 * Among the instructions of @rows (one line in one function, by address) the one for @joinpoint, or
 * 0.
 */
int wv_operands_find(const struct wv_operands *operands, uint32_t joinpoint,
		     const struct wv_row *rows, size_t n, uint64_t *ret, struct wv_error *error);

#endif /* WV_OPERAND_H */
