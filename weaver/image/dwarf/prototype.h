/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads prototypes of functions from DWARF, and counts the argument registers that a call of a
 * function uses. Only the integer registers of the System V ABI are counted.
 */
#ifndef WV_PROTOTYPE_H
#define WV_PROTOTYPE_H

#include "base/vec.h"
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

struct wv_prototype {
	bool known; /* if false, the other members mean nothing */
	bool variadic, noreturn;
	uint64_t returned; /* offset in .debug_info of the result's type; 0: nothing is returned */
	WV_VEC(uint64_t) parameters; /* offsets of the types of the parameters, in their order */
};

/*
 * Reads the prototype of @function: a function, a declaration of one, or the type of functions. The
 * caller frees the result by wv_prototype_deinit(), also after an error.
 */
int wv_prototype_read(const struct wv_dies *dies, const Dwarf_Die *function,
		      struct wv_prototype *ret, struct wv_error *error);
void wv_prototype_deinit(struct wv_prototype *prototype);

#endif /* WV_PROTOTYPE_H */
