/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies of instructions, which kprobes run in place of the instructions under their int3s. The
 * unwinder cannot unwind from the address of such a copy.
 */
#ifndef WK_KPROBE_SLOT_H
#define WK_KPROBE_SLOT_H

struct pt_regs;

/*
 * If a copy is at @ip, returns the address of the original instruction; else @ip. Does not find
 * copies of optimized kprobes; no kprobe in an aspect is optimized (kprobe-hook.c). Any context,
 * under rcu_read_lock().
 */
unsigned long wk_kprobe_original(unsigned long ip);

/*
 * If exception @trap was raised by a copy that is single-stepped, ends the step: afterwards @regs
 * are at the original instruction. For page faults and #GP the kernel has done so before it calls
 * notifiers. Any context, preemption disabled.
 */
void wk_kprobe_end_step(struct pt_regs *regs, int trap);

#endif /* WK_KPROBE_SLOT_H */
