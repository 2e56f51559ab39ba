/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * May several instructions of a function be replaced by one jump? Only if the first of them is the
 * only one that control can reach from elsewhere. Process context, may sleep; under wk_mutex.
 */
#ifndef WK_SINGLE_ENTRY_H
#define WK_SINGLE_ENTRY_H

#include <linux/types.h>

struct wk_function;

/* Logs a notice if, in this kernel, no splice may be a jump over several instructions. */
void wk_single_entry_init(void);

/*
 * Is none of the @size bytes at @address (live) a branch target? Control may then reach them only
 * by running into them. False also if that is unknown. @c_size: size in bytes of the C function per
 * the table of joinpoints in the aspect's module; 0 if unknown.
 */
bool wk_is_single_entry(struct wk_function *function, unsigned long address, unsigned int size,
			u32 c_size);

/*
 * May @function have displaced ranges of several instructions at all? Valid after
 * wk_is_single_entry() was called for it.
 */
bool wk_may_be_single_entry(const struct wk_function *function, u32 c_size);

#endif /* WK_SINGLE_ENTRY_H */
