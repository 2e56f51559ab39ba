/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a function is called, by its prototype in DWARF. Knows the System V ABI's integer registers
 * and no more of it.
 */
#ifndef WV_PROTOTYPE_H
#define WV_PROTOTYPE_H

#include "image/dwarf/dies.h"

/* Registers that the convention has for arguments: the answer wherever another is not sure. */
#define WV_GIVEN_MAX 6u

/*
 * How many of the registers, in the convention's order, a call of @function can pass something in.
 * Never too few for a function whose symbol is not a clone's (`foo.isra.0`): clones take what
 * nobody declared.
 */
int wv_prototype_given(const struct wv_dies *dies, const Dwarf_Die *function, unsigned int *ret,
		       struct wv_error *error);

#endif /* WV_PROTOTYPE_H */
