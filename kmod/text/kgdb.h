/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Breakpoints of the kernel's debugger in the text. */
#ifndef WK_KGDB_H
#define WK_KGDB_H

#include <linux/types.h>

/*
 * Is an int3 of kgdb over one of these bytes? kgdb keeps the byte that it found there and puts it
 * back later, so nobody else may change it meanwhile. It writes while all CPUs are stopped: the
 * answer holds until the next stop, which may come at any time. False if the kernel has no kgdb.
 */
bool wk_kgdb_breakpoint_in(unsigned long address, unsigned int size);

#endif /* WK_KGDB_H */
