/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many argument registers a call of a function uses, from its prototype in DWARF. Counts only
 * the integer registers of the System V ABI.
 */
#ifndef WV_PROTOTYPE_H
#define WV_PROTOTYPE_H

#include "image/dwarf/dies.h"

/*
 * All argument registers of the calling convention; also the result if the exact number is
 * uncertain.
 */
#define WV_GIVEN_MAX 6u

/*
 * *@ret: a call of @function may pass something in this many argument registers, the first ones in
 * the convention's order. It is never too small, except for clones (`foo.isra.0`): they take
 * arguments that no prototype declares.
 */
int wv_prototype_given(const struct wv_dies *dies, const Dwarf_Die *function, unsigned int *ret,
		       struct wv_error *error);

#endif /* WV_PROTOTYPE_H */
