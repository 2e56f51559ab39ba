// SPDX-License-Identifier: GPL-2.0-or-later
/* Leaves around-advice in the middle; see leave-around.h. */
#define pr_fmt(fmt) "weft: " fmt

#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <asm/processor-flags.h>

#include "base/unexported.h"
#include "compat/orc.h"
#include "runtime/advice.h"
#include "runtime/execution.h"
#include "splice/leave-around.h"
#include "text/thunks.h"

static HLIST_HEAD(watched); /* of struct wk_arounds; read under rcu_read_lock() */

/* ---- the functions of an aspect's around-advice ---------------------------------------------- */

/*
 * What `lea distance(%rsp or %rbp), %rax` says: the distance, and whether it is from %rbp. Returns
 * false if it is not such an instruction.
 */
static bool read_lea(const u8 *code, bool *based_ret, long *distance_ret)
{
	enum { REX_W = 0x48, LEA = 0x8d, BASE_SIB = 4, BASE_BP = 5, SIB_SP = 0x24 };
	const u8 *at = code + 3;
	unsigned int mod = code[2] >> 6, base = code[2] & 7;
	s32 distance;

	if (code[0] != REX_W || code[1] != LEA || mod == 3 || (base != BASE_SIB && base != BASE_BP))
		return false;
	if (base == BASE_SIB && *at++ != SIB_SP)
		return false;
	if (base == BASE_BP && !mod)
		return false; /* relative to %rip */
	*based_ret = base == BASE_BP;
	memcpy(&distance, at, sizeof(distance));
	*distance_ret = !mod ? 0 : mod == 1 ? (s8)*at : distance;
	return true;
}

/*
 * Finds where the execution is in the frame. @location says where it is from a register, at one
 * instruction of the function; ORC says where the frame ends, from the same register there.
 */
static bool locate(const struct module *module, const struct wr_location *location,
		   struct wk_around_function *ret)
{
	const unsigned long at = location->function + location->offset;
	const struct wk_orc_table table = wk_orc_of_module(module);
	const struct wk_orc orc = wk_orc_find(&table, at);
	unsigned long offset;
	bool based;
	long distance;

	ret->start = location->function;
	if (!wk_call(kallsyms_lookup_size_offset)(ret->start, &ret->size, &offset) || offset)
		return false;
	if (!read_lea(location->lea, &based, &distance) || location->offset >= ret->size)
		return false;
	if (orc.type != WK_ORC_CALL || orc.base != (based ? WK_ORC_BP : WK_ORC_SP))
		return false;
	ret->distance = orc.sp_offset - distance;
	ret->entered = location->offset;
	return true;
}

void wk_arounds_watch(struct wk_arounds *arounds, const struct weft_aspect *module)
{
	enum { LOCATIONS = ARRAY_SIZE(((struct weft_around *)NULL)->locations) };
	unsigned int missing = 0;

	memset(arounds, 0, sizeof(*arounds));
	if (!module->nr_arounds)
		return;
	arounds->all = kvmalloc_array(module->nr_arounds, LOCATIONS * sizeof(*arounds->all),
				      GFP_KERNEL);
	for (u32 i = 0; i < module->nr_arounds && arounds->all; i++) {
		for (u32 j = 0; j < LOCATIONS; j++) {
			struct wk_around_function *function = &arounds->all[arounds->nr];

			function->around = &module->arounds[i];
			if (locate(module->module, module->arounds[i].locations[j], function))
				arounds->nr++;
			else
				missing++;
		}
	}
	if (missing || !arounds->all)
		pr_warn("%s: a fault in its around-advice would be an oops\n",
			module->header->name);
	if (arounds->nr)
		hlist_add_head_rcu(&arounds->node, &watched);
}

void wk_arounds_forget(struct wk_arounds *arounds)
{
	if (!hlist_unhashed(&arounds->node)) {
		hlist_del_rcu(&arounds->node);
		synchronize_rcu();
	}
	kvfree(arounds->all);
	memset(arounds, 0, sizeof(*arounds));
}

static const struct wk_around_function *function_at(unsigned long ip)
{
	const struct wk_arounds *arounds;

	hlist_for_each_entry_rcu(arounds, &watched, node)
		for (unsigned int i = 0; i < arounds->nr; i++)
			if (ip - arounds->all[i].start < arounds->all[i].size)
				return &arounds->all[i];
	return NULL;
}

#ifndef CONFIG_TRACING
static u8 wr_around_bits; /* of all tasks: it stays 0 */
#endif

/* ---- finding and leaving an execution -------------------------------------------------------- */

/* The task's bit for the context that was interrupted; see wk_around_runs(). */
static u8 bit_of(int preempts)
{
	int count = preempt_count() - preempts;

	return WR_AROUND_BIT << (!!(count & NMI_MASK) + !!(count & (NMI_MASK | HARDIRQ_MASK)) +
				 !!(count & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET)));
}

bool wk_around_may(void)
{
	return wr_around_bits & WR_AROUND_BITS;
}

bool wk_around_runs(int preempts)
{
	return wr_around_bits & bit_of(preempts);
}

bool wk_around_at(unsigned long ip, const struct pt_regs *regs, unsigned long end,
		  struct weft_around **around_ret, struct wr_execution **execution_ret)
{
	const struct wk_around_function *function = function_at(ip);
	unsigned long execution;

	if (!function)
		return false;
	execution = end - function->distance;
	if (regs && (ip - function->start <= function->entered || execution < regs->sp))
		execution = 0;
	*around_ret = function->around;
	*execution_ret = (struct wr_execution *)execution;
	return true;
}

static void restore_arguments(struct pt_regs *regs, const struct weft_around *around,
			      const struct weft_frame *frame)
{
	unsigned long *const registers[] = { &regs->di, &regs->si, &regs->dx,
					     &regs->cx, &regs->r8, &regs->r9 };
	static const u8 numbers[] = { WR_RDI, WR_RSI, WR_RDX, WR_RCX, WR_R8, WR_R9 };
	const unsigned int n = min_t(unsigned int, around->arguments, ARRAY_SIZE(numbers));

	for (unsigned int i = 0; i < n; i++)
		*registers[i] = frame->reg[numbers[i]];
}

void wk_around_leave(struct pt_regs *regs, const struct weft_around *around,
		     const struct wr_execution *execution, struct weft_stats __percpu *stats,
		     int preempts)
{
	const u8 bit = bit_of(preempts);

	if ((wr_around_bits | execution->proceeded) & WR_INTERRUPTS_OF(bit))
		regs->flags |= X86_EFLAGS_IF;
	wr_around_bits &= ~(bit | WR_INTERRUPTS_OF(bit));
	if (execution->proceeded) {
		regs->ip = (unsigned long)wk_return;
		regs->ax = execution->returned;
	} else {
		regs->ip = around->rest ?: READ_ONCE(around->original);
		restore_arguments(regs, around, &execution->frame);
	}
	/* ->rest counts the end itself. */
	if (execution->proceeded || !around->rest)
		this_cpu_inc(stats->ended);
}
