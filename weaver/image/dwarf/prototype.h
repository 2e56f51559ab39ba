/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts the argument registers that a call of a function uses, from the function's prototype in
 * DWARF. Only the integer registers of the System V ABI are counted.
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
 * Sets *@ret to the number of argument registers in which a call of @function may pass something.
 * They are the first ones in the order of the calling convention. The number is never too small,
 * except for clones (`foo.isra.0`), which take arguments that no prototype declares.
 */
int wv_prototype_given(const struct wv_dies *dies, const Dwarf_Die *function, unsigned int *ret,
		       struct wv_error *error);

#endif /* WV_PROTOTYPE_H */
