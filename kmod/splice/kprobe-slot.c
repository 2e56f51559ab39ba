// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the instruction that a kprobe's copy was made of; see kprobe-slot.h.
 *
 * A copy that runs without single-stepping is followed by a jump to the instruction after the
 * original (arch/x86/kernel/kprobes/core.c, prepare_singlestep()). From that jump's target the
 * original is computed. Copies that are single-stepped need not be found: if one faults,
 * kprobe_fault_handler() has already set the instruction pointer back to the original. The kernel
 * calls it for page faults and #GP, wk_kprobe_end_step() for other exceptions.
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
