/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What kprobes may do in a function that holds splices. When a kprobe is registered, the kernel
 * reads the function's text to judge whether the kprobe is safe. Where weft has written splices,
 * the kernel reads these instead of the function's own bytes, and would judge wrongly in two cases:
 *
 * - An optimized kprobe replaces several instructions by a jump, if no branch of the function leads
 *   into the middle of them. Branches that weft has displaced are in trampolines, where the kernel
 *   does not see them, but they still lead into the function. So no kprobe is optimized in a
 *   function that holds splices; it works as an int3.
 * - A kprobe on an instruction that is displaced, but not the first of its splice, would never be
 *   hit, since the instruction runs in the trampoline. Such a kprobe is refused, with -EBUSY.
 *
 * Ftrace hooks at the entries of two functions of the kernel decide this: arch_prepare_kprobe() and
 * arch_prepare_optimized_kprobe(). Live patching replaces functions in the same way.
 */
#ifndef WK_KPROBE_HOOK_H
#define WK_KPROBE_HOOK_H

#include <linux/types.h>

/*
 * Hooks both functions. Call after wk_unexported_init(), before anything is woven; may sleep.
 * Returns 0, also where the kernel has no kprobes or never optimises them; -ENOTSUPP, or an error
 * of ftrace, with a line in the log, if they cannot be hooked: weaving would not be safe then.
 */
int wk_kprobe_hook_init(void);

/*
 * To be called when nothing can be woven any more. Waits until no CPU is in the hooks' functions;
 * may sleep.
 */
void wk_kprobe_hook_deinit(void);

/* Numbers since weft.ko was loaded. */
struct wk_kprobe_counts {
	u64 refused;	 /* kprobes refused because their instruction is displaced */
	u64 unoptimized; /* kprobes left as int3s because their function holds splices */
};

struct wk_kprobe_counts wk_kprobe_hook_counts(void);

#endif /* WK_KPROBE_HOOK_H */
