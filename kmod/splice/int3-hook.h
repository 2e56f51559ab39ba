/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The short way from an int3 to weft: the kernel's entry code calls exc_int3(), and that call is
 * turned to a few instructions of ours, which ask first whether the int3 is a splice's. See
 * int3-hook.c for why that is safe, and when it is not done.
 */
#ifndef WK_INT3_HOOK_H
#define WK_INT3_HOOK_H

#include <linux/types.h>

struct pt_regs;

/*
 * Turns the call. @claim says whether it has dealt with the int3; it is called with interrupts off,
 * before anything else, in whatever context the int3 was met, and may call nothing that could meet
 * one. After wk_unexported_init(). -ENOTSUPP: this kernel's entry code is not what we know, nothing
 * was changed; -ENOMEM.
 */
int wk_int3_hook_init(bool (*claim)(struct pt_regs *regs));

/*
 * Turns it back, and waits until no CPU is in our instructions. Cannot fail: it allocates nothing.
 */
void wk_int3_hook_deinit(void);

#endif /* WK_INT3_HOOK_H */
