/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds shadows of precision *operand*, which are searched if no instruction was found by its
 * column. Among the instructions of a line, the shadow is the one that does what the access does
 * and whose displacement is the member's offset in DWARF. If several instructions do, the access
 * gets no shadow of this precision. If the compiler has labelled an instruction, but only for other
 * members, the instruction does not count, unless one of these members is part of the access's
 * path.
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
 * Prepares @operands for searches in @image, which must stay open as long as @operands is used.
 * @merge must be sorted.
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
 * Finds the instruction of @joinpoint among those of @rows. The rows are of one line in one
 * function, sorted by address. Sets *@ret to the instruction's link address, or to 0 if no
 * instruction fits or several do.
 */
int wv_operands_find(const struct wv_operands *operands, uint32_t joinpoint,
		     const struct wv_row *rows, size_t n, uint64_t *ret, struct wv_error *error);

#endif /* WV_OPERAND_H */
