/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Breakpoints of the kernel's debugger in the text. */
#ifndef WK_KGDB_H
#define WK_KGDB_H

#include <linux/types.h>

/*
 * Returns whether an int3 of kgdb is over one of these bytes; false if the kernel has no kgdb. kgdb
 * keeps the byte that it found under its int3 and puts it back later, so nobody else may change
 * that byte meanwhile. kgdb writes while it has stopped all CPUs. So the result holds until kgdb
 * stops the CPUs again, which may happen at any time.
 */
bool wk_kgdb_breakpoint_in(unsigned long address, unsigned int size);

#endif /* WK_KGDB_H */
