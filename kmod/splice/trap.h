/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The trap: what an int3 in kernel text does. It does not run advice; it moves the interrupted
 * instruction pointer to the splice's trampoline and returns, so that advice runs in the
 * joinpoint's own context.
 */
#ifndef WK_TRAP_H
#define WK_TRAP_H

#include <linux/types.h>

int wk_trap_init(void);

/* Is the way to the trap the short one, without notifiers? After wk_trap_init(). */
bool wk_trap_is_hooked(void);

void wk_trap_deinit(void);

#endif /* WK_TRAP_H */
