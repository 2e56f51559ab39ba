/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Thunks: the code that every return, indirect call and kernel entry of this kernel runs through,
 * because of the mitigations that are active on this processor. The trap and the trampolines run
 * through thunks as well, some of it before the kernel's page tables and segments are in place, so
 * no thunk may be spliced.
 */
#ifndef WK_THUNKS_H
#define WK_THUNKS_H

#include <linux/types.h>

/*
 * Does nothing but return. Code that weft.ko generates jumps here in order to return. A return
 * in weft.ko's own text has the form that returns need on this processor (a plain ret, or a jump to
 * the active return thunk), since the module loader has rewritten it; a return in code that weft.ko
 * writes would not have it.
 */
void wk_return(void);

/*
 * Finds the thunks in the live text: those with a name in runtime/blacklist-names.h, the active
 * return thunk, and all functions that they jump to or call, directly or through each other. Calls
 * @add for each function found, with its live start and end. Returns 0; -E2BIG, with a line in the
 * log, if there is no end to these functions; or what @add returned.
 */
int wk_thunks_find(int (*add)(unsigned long start, unsigned long end));

#endif /* WK_THUNKS_H */
