/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * May several instructions of a function be replaced by one jump? Only where control comes to none
 * of them but the first from elsewhere. Process context, may sleep; under wk_mutex.
 */
#ifndef WK_SINGLE_ENTRY_H
#define WK_SINGLE_ENTRY_H

#include <linux/types.h>

struct wk_function;

/*
 * Does control come to none of the @size bytes at @address, other than by running into them? False
 * also where nobody knows.
 * @c_size: of so many bytes is the function that the aspect's table says is C; 0: it says nothing.
 */
bool wk_is_single_entry(struct wk_function *function, unsigned long address, unsigned int size,
			u32 c_size);

/* May displaced ranges be made in @function at all, once it has been asked for one? */
bool wk_may_be_single_entry(const struct wk_function *function, u32 c_size);

#endif /* WK_SINGLE_ENTRY_H */
