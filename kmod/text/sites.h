/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel's own tables say of its text, sorted by address: where jump labels and static
 * calls stand, which it rewrites, and where jump labels and fixups of faults lead. The kernel asks
 * its tables by walking them, which costs more than all else in a plan. They are of the kernel
 * proper and final since boot; modules' text is never spliced. Any context once initialised.
 */
#ifndef WK_SITES_H
#define WK_SITES_H

#include <linux/types.h>

#include "runtime/abi.h"

int wk_sites_init(void);
void wk_sites_deinit(void);

/*
 * Does a jump label or a static call own any of these bytes, at whose start an instruction begins?
 * NONE, JUMP_LABEL, STATIC_CALL. May sleep.
 */
enum weft_refusal wk_sites_owner(unsigned long address, unsigned int size);

/* May a fault in the instruction at @address be handled by its address? Any context. */
bool wk_sites_faults(unsigned long address);

/* Are all ways that jump labels and fixups lead known? */
bool wk_sites_known(void);

/* Sets the bit of each of the @size bytes at @start that a jump label or a fixup leads to. */
void wk_sites_mark(unsigned long start, unsigned int size, unsigned long *bits);

#endif /* WK_SITES_H */
