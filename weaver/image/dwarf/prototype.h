/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many argument registers a call of a function uses, from its prototype in DWARF. Knows only
 * the integer registers of the System V ABI.
 */
#ifndef WV_PROTOTYPE_H
#define WV_PROTOTYPE_H

#include "image/dwarf/dies.h"

/*
 * Number of argument registers of the convention; also the answer if the exact number is unclear.
 */
#define WV_GIVEN_MAX 6u

/*
 * The number of argument registers, in the convention's order, in which a call of @function can
 * pass something. It is never too small, except for clones (`foo.isra.0`): they take arguments that
 * no prototype declares.
 */
int wv_prototype_given(const struct wv_dies *dies, const Dwarf_Die *function, unsigned int *ret,
		       struct wv_error *error);

#endif /* WV_PROTOTYPE_H */
