// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds out what trampolines need to know about this kernel; see platform.h. */
#include <linux/export.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <asm/cpufeature.h>

#include "compat/cpu.h"
#include "compat/preempt-count.h"
#include "splice/platform.h"
#include "splice/ksym.h"
#include "base/unexported.h"

struct wr_platform wk_platform __ro_after_init;

DEFINE_PER_CPU(long, wk_guard) = WR_GUARD_IDLE;
EXPORT_PER_CPU_SYMBOL_GPL(wk_guard);

/*
 * Returns the address of what the kernel's own preempt_enable_notrace() calls to reschedule. The
 * call preserves all registers. Where the preemption mode can be switched, it is a static call that
 * follows the mode. 0: this kernel does not preempt itself.
 */
static u64 __init find_reschedule(void)
{
	u64 call;

	if (!IS_ENABLED(CONFIG_PREEMPTION))
		return 0;
	call = wk_call(find)("__SCT__preempt_schedule_notrace");
	return call ? call : wk_call(find)("preempt_schedule_notrace_thunk");
}

/*
 * Whether the preemption count is 64 bits wide: since 7.3 it is, and the bit that is 0 while a
 * reschedule is due is in the upper half.
 */
enum { COUNT_IS_64 = (u64)PREEMPT_NEED_RESCHED > U32_MAX };

/*
 * The bits of this kernel's preemption count that say in which context (task, softirq, interrupt,
 * NMI) the CPU is. Trampolines rely on the order of these bits (runtime/trampoline.h), which the
 * assertions check.
 */
#define CONTEXT_MASK (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET)
static_assert((u64)CONTEXT_MASK <= U32_MAX);
static_assert(!(SOFTIRQ_OFFSET & ((1 << WR_GUARD_SHIFT) - 1)));
static_assert(SOFTIRQ_OFFSET < (u64)HARDIRQ_OFFSET >> WR_GUARD_SHIFT);
static_assert((u64)HARDIRQ_MASK < (u64)NMI_OFFSET);
static_assert((u64)NMI_MASK >> WR_GUARD_SHIFT < (u64)NMI_OFFSET);

void __init wk_platform_init(void)
{
	wk_platform.preempt_count = WK_PREEMPT_COUNT;
	wk_platform.guard = (unsigned long)&wk_guard;
	wk_platform.reschedule = find_reschedule();
	wk_platform.context_mask = CONTEXT_MASK;
	if (IS_ENABLED(CONFIG_PREEMPT_COUNT))
		wk_platform.flags |= WR_PLATFORM_COUNTS;
	if (COUNT_IS_64)
		wk_platform.flags |= WR_PLATFORM_COUNT64;
	if (wk_ksym_possible())
		wk_platform.flags |= WR_PLATFORM_FRAMES;
	if (boot_cpu_has(X86_FEATURE_SMAP))
		wk_platform.flags |= WR_PLATFORM_CLAC;
	if (IS_ENABLED(CONFIG_X86_KERNEL_IBT))
		wk_platform.flags |= WR_PLATFORM_ENDBR;
	if (wk_cpu_has_its())
		wk_platform.flags |= WR_PLATFORM_UPPER_HALF;
}
