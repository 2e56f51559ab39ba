/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The direct path from an int3 to weft. The kernel's entry code calls exc_int3(); this redirects
 * that call to a few instructions of ours, which first ask whether the int3 is a splice's.
 * int3-hook.c explains why that is safe, and when it is not done.
 */
#ifndef WK_INT3_HOOK_H
#define WK_INT3_HOOK_H

#include <linux/types.h>

struct pt_regs;
struct weft_shadow_status;

/*
 * Redirects the call. @claim returns true if it has handled the int3. It is called with interrupts
 * off, before anything else, in whatever context the int3 was met, and must not call anything that
 * could meet an int3. Call after wk_unexported_init(). Returns 0; -ENOTSUPP if this kernel's entry
 * code is not of a form we know (nothing was changed then); -ENOMEM.
 */
int wk_int3_hook_init(bool (*claim)(struct pt_regs *regs));

/*
 * Fills @ret, which is zero, as if the call were a splice: where it is, its bytes of before, and the
 * stub as its trampoline; as its slot the jump in padding, if there is one. False, and fills nothing,
 * where the call is not redirected.
 */
bool wk_int3_hook_call(struct weft_shadow_status *ret);

/*
 * Restores the call, and waits until no CPU is in our instructions. Cannot fail: allocates nothing.
 */
void wk_int3_hook_deinit(void);

#endif /* WK_INT3_HOOK_H */
