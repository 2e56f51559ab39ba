/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies of instructions that kprobes run in place of those under their int3s. No unwinder knows
 * the addresses of such copies.
 */
#ifndef WK_KPROBE_SLOT_H
#define WK_KPROBE_SLOT_H

struct pt_regs;

/*
 * If a copy is at @ip, the address of the original instruction; else @ip. Not for the copies of an
 * optimized kprobe, of which aspects have none (kprobe-hook.c). Any context, under
 * rcu_read_lock().
 */
unsigned long wk_kprobe_original(unsigned long ip);

/*
 * If exception @trap is one of a copy that is single-stepped, ends the step: @regs is at the
 * original instruction then. For page faults and #GP the kernel has done so before it tells
 * anybody. Any context, preemption disabled.
 */
void wk_kprobe_end_step(struct pt_regs *regs, int trap);

#endif /* WK_KPROBE_SLOT_H */
