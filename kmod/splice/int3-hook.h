/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The direct path from an int3 to weft.ko. The kernel's entry code calls exc_int3(). The hook
 * redirects that call to a stub, a few instructions that first ask whether the int3 belongs to a
 * splice. int3-hook.c explains why that is safe, and when it is not done.
 */
#ifndef WK_INT3_HOOK_H
#define WK_INT3_HOOK_H

#include <linux/types.h>

struct pt_regs;
struct weft_shadow_status;

/*
 * Redirects the call, so that @claim is called for each int3, before anything else and with
 * interrupts off, in whatever context the int3 was met. @claim returns true if it has handled the
 * int3. It must not call anything that could meet an int3. Call this after wk_unexported_init().
 * Returns 0, an error of wk_exec_mem_seal(), or one of these; after an error nothing was changed.
 * -ENOTSUPP: the processor enters the kernel by FRED, or the form of the entry code is unknown
 * -ENOMEM: memory is short
 */
int wk_int3_hook_init(bool (*claim)(struct pt_regs *regs));

/*
 * Describes the redirected call in @ret, which is zero, as if it were a splice: its address, its
 * original bytes, and the stub as its trampoline; if there is a jump in padding, that is the slot.
 * Returns false, and fills nothing, if the call is not redirected.
 */
bool wk_int3_hook_call(struct weft_shadow_status *ret);

/* Restores the call, and waits until no CPU is in the stub. Cannot fail: allocates nothing. */
void wk_int3_hook_deinit(void);

#endif /* WK_INT3_HOOK_H */
