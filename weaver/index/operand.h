/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The *operand* precision, tried after column and before line. Among the instructions of a line,
 * the shadow is the one whose displacement is the member's offset in DWARF and which does what the
 * access does; if several do, there is none. An instruction that the compiler labelled for other
 * members only is not taken, unless one of those members is part of the access's path.
 */
#ifndef WV_OPERAND_H
#define WV_OPERAND_H

#include "x86/decode.h"
#include "image/dwarf/debug.h"
#include "image/dwarf/lines.h"
#include "index/merge.h"

/* An all-zero struct is valid and finds nothing. */
struct wv_operands {
	struct wv_image *image;
	const struct wv_merge *merge;
	struct wv_decoder *decoder;
	/* the offset in bytes of the member of each field of .merge; WV_NO_OFFSET: not in DWARF */
	WV_VEC(uint64_t) offsets;
	WV_VEC(struct wv_labelled {
		uint64_t address;
		uint32_t field;
	}) labels; /* sorted by address */
};

#define WV_NO_OFFSET UINT64_MAX

/*
 * Prepares searches in @image, which must stay open as long as @operands is used. @merge must be
 * sorted.
 */
int wv_operands_init(struct wv_operands *operands, struct wv_image *image,
		     const struct wv_debug *debug, const struct wv_merge *merge,
		     struct wv_error *error);
void wv_operands_deinit(struct wv_operands *operands);

/* Returns whether the compiler labelled the instruction at @address, for any member. */
bool wv_operands_labelled(const struct wv_operands *operands, uint64_t address);

/* Returns whether @insn can be an access of @kind to a member at @offset (bytes). */
bool wv_operand_fits(unsigned int kind, uint64_t offset, const struct wv_insn *insn);

/*
 * Finds the instruction of @joinpoint among those of @rows (one line in one function, sorted by
 * address). *@ret is its link address; 0 if none fits, or several do.
 */
int wv_operands_find(const struct wv_operands *operands, uint32_t joinpoint,
		     const struct wv_row *rows, size_t n, uint64_t *ret, struct wv_error *error);

#endif /* WV_OPERAND_H */
