/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The trap: the handler of weft's int3s. It does not run advice. It sets the interrupted
 * instruction pointer to the splice's trampoline and returns, so that advice runs in the context of
 * the joinpoint.
 */
#ifndef WK_TRAP_H
#define WK_TRAP_H

#include <linux/types.h>

/* Returns 0, or the error of register_die_notifier(). */
int wk_trap_init(void);

/*
 * Is the trap called directly by the entry code (int3-hook.h), and not as a die notifier? Valid
 * after wk_trap_init().
 */
bool wk_trap_is_hooked(void);

void wk_trap_deinit(void);

#endif /* WK_TRAP_H */
