/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Thunks: the code that every return, indirect call and kernel entry of this kernel runs through,
 * by the mitigations that are active on this processor. The trap and the trampolines run through it
 * as well, some of it before the kernel's page tables and segments are in place, so none of it may
 * be spliced.
 */
#ifndef WK_THUNKS_H
#define WK_THUNKS_H

#include <linux/types.h>

/*
 * A function that does nothing but return. The module loader has patched its return to what returns
 * are on this processor: a plain ret, or a jump to the active return thunk. Code that weft.ko makes
 * itself jumps here to return.
 */
void wk_return(void);

/*
 * Finds the thunks in the live text: those that the kernel names, the return thunk that is active,
 * and whatever they jump to or call, directly and again. Calls @add for each function found, with
 * its live start and end. Returns 0; -E2BIG if that does not come to an end, with a line in the
 * log; or what @add returned.
 */
int wk_thunks_find(int (*add)(unsigned long start, unsigned long end));

#endif /* WK_THUNKS_H */
