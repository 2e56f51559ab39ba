// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Limits of the time that advice takes; see budget.h.
 *
 * The nesting guard wk_guard, a variable of each CPU, keeps advice from running inside advice.
 * While advice runs, its lower half holds the preemption count at the entry of the hit, and
 * trampolines read only this half (runtime/trampoline.h). A tick (splice/ticks.h) that finds advice
 * running puts a mark into the upper half. The end of the hit overwrites the whole guard, and so
 * removes the mark. A hit that interrupts another one saves the guard with the mark, and restores
 * it. So a mark that a later tick finds was set during the same hit, and trampolines need no code
 * for marks.
 *
 * The mark is the time for which ticks have seen the hit run. Each tick adds the time since the
 * last tick of its CPU, but at most a little more than a step, the usual time between ticks. This
 * limit is for virtual machines: while the host has taken the processor away, the clock goes on,
 * but the advice does not run. So when a mark reaches the budget, the advice has really run for
 * about that time. A tick that finds the hit itself interrupted adds nothing.
 *
 * Around-advice does not take the guard. Its mark is on the stack, in the execution's struct
 * wr_execution. While weft_proceed() runs the function, ticks do not see the advice run.
 */
#define pr_fmt(fmt) "weft: " fmt

#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/ptrace.h>
#include <linux/time64.h>

#include "base/lock.h"
#include "budget.h"
#include "fault.h"
#include "runtime/advice.h"
#include "runtime/execution.h"
#include "runtime/frame.h"
#include "splice/leave.h"
#include "splice/leave-around.h"
#include "splice/platform.h"
#include "splice/splice.h"
#include "splice/ticks.h"

enum {
	/* advice that may hold a lock is left only after so many times its budget */
	HELD_TIMES = 50,
	STEPS = 4,	   /* steps in the smallest budget */
	SAMPLE_US = 500,   /* the longest step if a share is measured */
	PERCENT_NS = NSEC_PER_SEC / 100, /* one percent of WINDOW_NS */
};

#define WINDOW_NS ((u64)NSEC_PER_SEC)

/*
 * The time that the ticks of one CPU have counted for an aspect's share. Written by that CPU only.
 */
struct wk_share {
	u64 since; /* when the current stretch of WINDOW_NS has begun */
	u64 used;  /* nanoseconds of advice in that stretch */
};

/* ---- the mark in the nesting guard ----------------------------------------------------------- */

/*
 * The upper half of the guard has two fields:
 * - MARK_TIME: the microseconds for which ticks have seen the hit run, plus MARK_US. So it is 0
 *   only until the first tick has seen the hit.
 * - WR_GUARD_INTERRUPTS: interrupts were on in the advice, since one of these ticks was a timer
 *   interrupt, or since the advice said so (wr_note_interrupts()).
 */
enum { MARK_SHIFT = 32, MARK_US = 1 };

#define MARK_TIME GENMASK_ULL(62, MARK_SHIFT)

static u64 marked_us(u64 guard)
{
	return (guard & MARK_TIME) >> MARK_SHIFT;
}

/*
 * Adds @us microseconds to the mark in @guard. The addition is a single instruction, so an NMI
 * comes either before or after it. A hit in that NMI saves and restores the guard, so no addition
 * is lost.
 */
static void mark(u64 guard, u64 us, bool interrupts)
{
	u64 more = us << MARK_SHIFT;

	if ((guard & MARK_TIME) + more > MARK_TIME)
		more = 0;
	if (interrupts && !(guard & WR_GUARD_INTERRUPTS))
		more += WR_GUARD_INTERRUPTS;
	this_cpu_add(wk_guard, more);
}

/*
 * The mark of around-advice, in wr_execution.seen from bit SEEN_SHIFT on: the time for which ticks
 * have seen the execution run, in units of 4 microseconds, plus one unit.
 */
enum { SEEN_SHIFT = 8, SEEN_UNIT_US = 4 };

static u64 seen_us(const struct wr_execution *execution)
{
	return (u64)(execution->seen >> SEEN_SHIFT) * SEEN_UNIT_US;
}

/*
 * Adds @us microseconds, at least one unit, to the mark of @execution. The tick has interrupted the
 * task that runs the execution, so nobody else changes the mark.
 */
static void see(struct wr_execution *execution, u64 us)
{
	u64 more = max(div_u64(us, SEEN_UNIT_US), 1ull) << SEEN_SHIFT;

	if (execution->seen + more <= U32_MAX)
		WRITE_ONCE(execution->seen, execution->seen + more);
}

/* ---- handling a tick that finds advice running ----------------------------------------------- */

/*
 * Returns whether the hit that took @guard ran in the context (task, softirq, interrupt) that the
 * tick has interrupted. If not, the hit itself was interrupted, and the tick came in that
 * interrupt.
 */
static bool is_innermost(u64 guard, const struct wk_tick *tick)
{
	u32 context = preempt_count() - tick->preempts;

	return !((context ^ (u32)guard) & wk_platform.context_mask);
}

/*
 * Finds the hit that the tick has interrupted. This function holds the nesting guard meanwhile, so
 * that no advice runs: functions that the unwinder calls may be woven, and if their advice ran in
 * this context for too long, only an NMI could end it.
 */
static bool find(const struct wk_tick *tick, struct wk_leave *leave)
{
	long guard = wk_guard_take();
	bool found = wk_leave_find(tick->regs, false, tick->preempts, leave);

	wk_guard_give_back(guard);
	return found;
}

/*
 * May the advice hold something that nobody would release if it were left? If the preemption count
 * has changed, it certainly does: a lock, or softirqs or preemption disabled. RCU read sections and
 * disabled page faults may also be those of the code that was hit.
 */
static bool may_hold(const struct wk_tick *tick, const struct wk_leave *leave)
{
	int preempts = preempt_count() - tick->preempts - wk_leave_count(leave);
	int own_rcu = tick->nmi; /* nmi_handle() takes the RCU read lock */

	return preempts || rcu_preempt_depth() > own_rcu || current->pagefault_disabled;
}

/*
 * Handles a hit that has used up its budget, at this tick or at an earlier one: ends the advice if
 * that is possible (splice/leave.h), and notes the fault. If the advice has called a function that
 * cannot be abandoned, the next tick tries again. Advice that may hold a lock or the like is ended
 * only after HELD_TIMES its budget, so that it has the chance to release the lock and return by
 * itself. @before_us: microseconds for which earlier ticks have seen the hit run. @ran_us: the
 * same, with the time of this tick.
 */
static void overrun(const struct wk_tick *tick, struct wk_leave *leave, u64 before_us, u64 ran_us)
{
	const struct wk_budget *budget = leave->attachment->budget;
	const struct wk_fault_event event = { .regs = tick->regs,
					      .trap = WEFT_FAULT_BUDGET,
					      .taken = ran_us * NSEC_PER_USEC,
					      .limit = budget->limit };
	bool before = before_us * NSEC_PER_USEC >= budget->limit;
	int preempts = 0;

	if (ran_us * NSEC_PER_USEC < HELD_TIMES * budget->limit && may_hold(tick, leave))
		leave->possible = false;
	if (leave->possible)
		preempts = wk_leave(tick->regs, leave, tick->preempts);
	if (!before)
		wk_fault_limit(&event, leave, preempts);
	else if (leave->possible)
		wk_fault_left(leave, preempts);
}

static void charge(const struct wk_tick *tick, const struct wk_leave *leave, u64 period)
{
	struct wk_budget *budget = leave->attachment->budget;
	struct wk_share *share = this_cpu_ptr(budget->used);
	u64 before;

	if (tick->now - share->since >= WINDOW_NS) {
		share->since = tick->now;
		share->used = 0;
	}
	before = share->used;
	share->used += min(tick->since, period);
	if (before <= budget->share && share->used > budget->share) {
		const struct wk_fault_event event = { .regs = tick->regs,
						      .trap = WEFT_FAULT_SHARE,
						      .taken = share->used,
						      .limit = budget->share };

		wk_fault_limit(&event, leave, 0);
	}
}

/* Is advice, around-advice too, running in the context that the tick has interrupted? */
static bool is_running(u64 guard, const struct wk_tick *tick)
{
	return ((long)guard != WR_GUARD_IDLE && is_innermost(guard, tick)) ||
	       wk_around_runs(tick->preempts);
}

static bool look(const struct wk_tick *tick)
{
	u64 guard = this_cpu_read(wk_guard), step = wk_ticks_step(), marked, us, before_us;
	const struct wk_budget *budget;
	struct wk_leave leave;

	if (!is_running(guard, tick) || !find(tick, &leave) || !leave.attachment)
		return false;
	budget = leave.attachment->budget;
	if (!budget->used)
		return false;
	marked = leave.around ? seen_us(leave.execution) : marked_us(guard);
	us = marked ? div_u64(min(tick->since, step + step / 4), NSEC_PER_USEC) : MARK_US;
	if (leave.around)
		see(leave.execution, us);
	else
		mark(guard, us, !tick->nmi);
	before_us = marked ? marked - MARK_US : 0;
	us = marked ? us : 0;
	if (budget->limit && (before_us + us) * NSEC_PER_USEC >= budget->limit)
		overrun(tick, &leave, before_us, before_us + us);
	if (budget->share && !tick->nmi)
		charge(tick, &leave, 2 * step);
	return true;
}

/* ---- beginning and ending the limits of an aspect -------------------------------------------- */

static unsigned int budget_us = WEFT_BUDGET_DEFAULT / NSEC_PER_USEC;
static unsigned int share_percent = WEFT_SHARE_DEFAULT;

static int set_budget(const char *text, const struct kernel_param *param)
{
	unsigned int us;
	int ret = kstrtouint(text, 0, &us);

	if (!ret && us && (us < WEFT_BUDGET_LEAST / NSEC_PER_USEC ||
			   us > WEFT_BUDGET_MOST / NSEC_PER_USEC))
		ret = -EINVAL;
	return ret ? ret : param_set_uint(text, param);
}

static int set_share(const char *text, const struct kernel_param *param)
{
	return param_set_uint_minmax(text, param, 0, 100);
}

static const struct kernel_param_ops budget_ops = { .set = set_budget, .get = param_get_uint };
static const struct kernel_param_ops share_ops = { .set = set_share, .get = param_get_uint };

module_param_cb(budget_us, &budget_ops, &budget_us, 0644);
MODULE_PARM_DESC(budget_us, "microseconds that advice may run at a hit, for aspects that do not "
			    "set it themselves: 100 to 60000000; 0: any time (1000)");
module_param_cb(share_percent, &share_ops, &share_percent, 0644);
MODULE_PARM_DESC(share_percent, "percentage of a CPU that an aspect's advice may take, for aspects "
				"that do not set it themselves: 1 to 100; 0: all (10)");

static LIST_HEAD(woven); /* list of struct wk_budget; under wk_mutex */

/*
 * Returns the step for all woven aspects, in nanoseconds; 0: nothing is limited. It is a whole
 * number of microseconds, the unit of marks.
 */
static u64 common_step(void)
{
	const struct wk_budget *budget;
	u64 least = U64_MAX;

	list_for_each_entry(budget, &woven, woven) {
		if (budget->limit)
			least = min(least, budget->limit / STEPS);
		if (budget->share)
			least = min(least, (u64)SAMPLE_US * NSEC_PER_USEC);
	}
	return least == U64_MAX ? 0 : least - least % NSEC_PER_USEC;
}

static bool has_advice(const struct weft_aspect *module)
{
	for (u32 i = 0; i < module->header->nr_advices; i++)
		if (module->advices[i].entry)
			return true;
	return module->nr_arounds;
}

static bool is_budget(u64 budget)
{
	return !budget || budget == WEFT_BUDGET_NONE ||
	       (budget >= WEFT_BUDGET_LEAST && budget <= WEFT_BUDGET_MOST);
}

static bool is_share(u32 share)
{
	return share <= 100 || share == WEFT_SHARE_NONE;
}

int wk_budget_check(const struct weft_aspect *module, const struct weft_weave *request)
{
	const struct weft_aspect_header *header = module->header;

	return is_budget(header->budget) && is_budget(request->budget) &&
			       is_share(header->share) && is_share(request->share)
		       ? 0
		       : -EINVAL;
}

static void set_limits(struct wk_budget *budget, const struct weft_aspect_header *header,
		       const struct weft_weave *request)
{
	u64 limit = request->budget ?: header->budget ?: READ_ONCE(budget_us) * NSEC_PER_USEC;
	u32 share = request->share ?: header->share ?: READ_ONCE(share_percent);

	budget->limit = limit == WEFT_BUDGET_NONE ? 0 : limit;
	budget->share = share == WEFT_SHARE_NONE ? 0 : (u64)share * PERCENT_NS;
}

int wk_budget_begin(struct wk_budget *budget, const struct weft_aspect *module,
		    const struct weft_weave *request)
{
	wk_assert_locked();
	memset(budget, 0, sizeof(*budget));
	INIT_LIST_HEAD(&budget->woven);
	if (!has_advice(module) || !wk_leave_supported())
		return 0;
	set_limits(budget, module->header, request);
	if (!budget->limit && !budget->share)
		return 0;
	budget->used = alloc_percpu(struct wk_share);
	if (!budget->used)
		return -ENOMEM;
	list_add(&budget->woven, &woven);
	wk_ticks_run(common_step());
	return 0;
}

/*
 * Stops watching the budget, and frees its memory. No task is in the aspect's advice any more, so
 * no tick reads that memory.
 */
void wk_budget_end(struct wk_budget *budget)
{
	wk_assert_locked();
	if (!budget->used)
		return;
	list_del_init(&budget->woven);
	wk_ticks_run(common_step());
	free_percpu(budget->used);
	budget->used = NULL;
}

void wk_budget_status(const struct wk_budget *budget, struct weft_status *status)
{
	status->budget = budget->limit;
	status->share = div_u64(budget->share, PERCENT_NS);
}

int __init wk_budget_init(void)
{
	return wk_ticks_init(look);
}

void wk_budget_deinit(void)
{
	wk_ticks_deinit();
}
