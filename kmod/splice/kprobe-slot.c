// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the instruction that a kprobe's copy was made of; see kprobe-slot.h.
 *
 * The kernel runs some copies without single-stepping. After such a copy it puts a jump to the
 * instruction after the original (arch/x86/kernel/kprobes/core.c, prepare_singlestep()), and the
 * original's address is computed from that jump's target.
 *
 * Copies that are single-stepped need not be found. If one faults, the instruction pointer is set
 * back to the original before anybody asks: by the kernel's kprobe_fault_handler() for page faults
 * and #GP, and by wk_kprobe_end_step() for other exceptions.
 */
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <asm/insn.h>

#include "base/unexported.h"
#include "splice/kprobe-slot.h"

#ifdef CONFIG_KPROBES

enum { JUMP_SIZE = 5, JUMP = 0xe9 };

unsigned long wk_kprobe_original(unsigned long ip)
{
	u8 bytes[MAX_INSN_SIZE + JUMP_SIZE];
	const struct kprobe *probe;
	unsigned long original;
	struct insn insn;
	s32 distance;

	if (copy_from_kernel_nofault(bytes, (void *)ip, sizeof(bytes)) ||
	    wk_call(insn_decode)(&insn, bytes, MAX_INSN_SIZE, INSN_MODE_KERN) ||
	    bytes[insn.length] != JUMP)
		return ip;
	memcpy(&distance, &bytes[insn.length + 1], sizeof(distance));
	original = ip + JUMP_SIZE + distance;
	probe = wk_call(get_kprobe)((void *)original);
	return probe && (unsigned long)probe->ainsn.insn == ip ? original : ip;
}

void wk_kprobe_end_step(struct pt_regs *regs, int trap)
{
	if (wk_has(kprobe_fault_handler) && wk_unexported.current_kprobe &&
	    this_cpu_read(*wk_unexported.current_kprobe))
		wk_call(kprobe_fault_handler)(regs, trap);
}

#else

unsigned long wk_kprobe_original(unsigned long ip)
{
	return ip;
}

void wk_kprobe_end_step(struct pt_regs *regs, int trap)
{
}

#endif
