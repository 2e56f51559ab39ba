/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds out whether several instructions of a function may be replaced by one jump. They may only
 * if control can reach none but the first of them from elsewhere. Process context, may sleep; under
 * wk_mutex.
 */
#ifndef WK_SINGLE_ENTRY_H
#define WK_SINGLE_ENTRY_H

#include <linux/types.h>

struct wk_function;

/* Logs a notice if, in this kernel, no splice may be a jump over several instructions. */
void wk_single_entry_init(void);

/*
 * Returns true if none of the @size bytes at @address (live) is a branch target: control then
 * reaches them only from the instruction before. Returns false if one is a branch target or if that
 * is unknown. @c_size: size in bytes of the function, if the table of joinpoints in the aspect's
 * module says that it was compiled from C; otherwise 0.
 */
bool wk_is_single_entry(struct wk_function *function, unsigned long address, unsigned int size,
			u32 c_size);

/*
 * May @function have displaced ranges of several instructions at all? Valid after
 * wk_is_single_entry() was called for it.
 */
bool wk_may_be_single_entry(const struct wk_function *function, u32 c_size);

#endif /* WK_SINGLE_ENTRY_H */
