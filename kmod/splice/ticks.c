// SPDX-License-Identifier: GPL-2.0-or-later
/* Interrupts each CPU again and again; see ticks.h. */
#define pr_fmt(fmt) "weft: " fmt

#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <linux/timekeeping.h>
#include <asm/apic.h>
#include <asm/irq_regs.h>
#include <asm/nmi.h>

#include "compat/cpu.h"
#include "compat/timer-setup.h"
#include "splice/platform.h"
#include "splice/ticks.h"

/* The timer's ticks come in an interrupt. */
enum { TIMER_PREEMPTS = HARDIRQ_OFFSET };

enum { BEHIND_NS = 100 * NSEC_PER_USEC };

/*
 * What nmi_enter() adds; nmi_handle() takes the RCU read lock, which disables preemption where RCU
 * needs that.
 */
enum {
	NMI_PREEMPTS = NMI_OFFSET + HARDIRQ_OFFSET +
		       (IS_ENABLED(CONFIG_PREEMPT_COUNT) && !IS_ENABLED(CONFIG_PREEMPT_RCU)),
};

/* Of one CPU. Written by that CPU, but for ->nmi. */
struct ticker {
	struct hrtimer timer;
	u64 due;  /* when its timer comes next */
	u64 last; /* when it was looked at */
	int nmi;  /* an NMI was sent to it, and is not handled */
	u64 handled; /* when one was done that may have come in the name of another; 0: never */
};

static DEFINE_PER_CPU(struct ticker, tickers);
static struct cpumask watched; /* whose timers run */
static bool (*look)(const struct wk_tick *tick);
static u64 step_now; /* nanoseconds; 0: no ticks */
static int hotplug_state;

u64 wk_ticks_step(void)
{
	return READ_ONCE(step_now);
}

static bool tick(struct ticker *ticker, struct pt_regs *regs, u64 now, int preempts)
{
	u64 last = READ_ONCE(ticker->last);
	const struct wk_tick tick = { .regs = regs,
				      .now = now,
				      /* In an NMI, the clock may have gone back. */
				      .since = now > last ? now - last : 0,
				      .preempts = preempts,
				      .nmi = preempts != TIMER_PREEMPTS };

	WRITE_ONCE(ticker->last, now);
	return regs && look(&tick);
}

/* ---- by NMI ---------------------------------------------------------------------------------- */

static bool is_overdue(unsigned int cpu, u64 now, u64 step)
{
	return now >= READ_ONCE(per_cpu(tickers.due, cpu)) + step / 4;
}

/* Never a second one while the first is due: of two that the processor merges, one is nobody's. */
static void send_nmi(unsigned int cpu)
{
	if (!cmpxchg(per_cpu_ptr(&tickers.nmi, cpu), 0, 1))
		apic->send_IPI(cpu, NMI_VECTOR);
}

/*
 * Is advice running on CPUs whose ticks are overdue? Then they get an NMI. It looks at those that
 * come after @cpu, up to the first whose tick came in time: that one looks at those behind it. One
 * without advice may wait with interrupts off for a lock that advice on another one runs under.
 */
static bool watch_others(unsigned int cpu, u64 now, u64 step)
{
	bool found = false;
	unsigned int other;

	if (wk_cpu_has_fred())
		return false;
	for_each_cpu_wrap(other, &watched, cpu) {
		if (other == cpu)
			continue;
		if (!is_overdue(other, now, step))
			break;
		if (READ_ONCE(per_cpu(wk_guard, other)) == WR_GUARD_IDLE)
			continue;
		send_nmi(other);
		found = true;
	}
	return found;
}

/*
 * Where an NMI goes on is not in its registers. asm_exc_nmi has two copies of what the processor
 * pushed, next to each other: the first ends the registers, the second is what its iret takes. An
 * NMI on top of it, which is possible once an exception in it has returned, lets that iret go back
 * to where the first is copied to the second, and all is done again.
 *
 * FRED has no such copies. To go on by its registers was never tried, so then nobody is watched.
 */
struct iret_frame {
	unsigned long ip, cs, flags, sp, ss;
};

static struct iret_frame *iret_frame(struct pt_regs *regs)
{
	return (struct iret_frame *)(regs + 1);
}

/* Is it as described above, and is there no NMI on top? Else this NMI is for nothing. */
static bool can_go_on(struct pt_regs *regs)
{
	return !user_mode(regs) && !memcmp(iret_frame(regs), &regs->ip, sizeof(struct iret_frame));
}

/*
 * The NMI goes on as @regs says, which were @before. If another one comes in between, the frame is
 * what that one needs, and the change comes with the copy.
 */
static void go_on(struct pt_regs *regs, const struct iret_frame *before)
{
	struct iret_frame *frame = iret_frame(regs);

	if (cmpxchg_local(&frame->sp, before->sp, regs->sp) != before->sp)
		return;
	if (regs->flags != before->flags)
		cmpxchg_local(&frame->flags, before->flags, regs->flags);
	cmpxchg_local(&frame->ip, before->ip, regs->ip);
}

/*
 * A CPU that is in an NMI while its tick is overdue looks at the others, as a timer interrupt does.
 * If all of them have interrupts off, nobody else will: then they take turns. One waits in its NMI
 * while the others go on, and interrupts them after a step; one of these waits next. What it waits
 * is no time of the advice below it. A CPU that finds nobody to look at needs one that looks at it,
 * which may as well be one that waits for a lock.
 */
enum {
	TURN_NS = 250 * NSEC_PER_USEC, /* the kernel reports handlers that take a millisecond */
	TURN_ROUNDS = 20000,	       /* should the clock stand still */
};

static atomic_t turn; /* 1: some CPU is waiting */

static void wait_turn(u64 now, u64 step)
{
	u64 end = now + min_t(u64, step, TURN_NS);

	for (unsigned int i = 0; i < TURN_ROUNDS && ktime_get_mono_fast_ns() < end; i++)
		cpu_relax();
}

/* Is another watched CPU in advice, with its tick overdue? */
static bool is_any_overdue(unsigned int cpu, u64 now, u64 step)
{
	unsigned int other;

	for_each_cpu(other, &watched)
		if (other != cpu && is_overdue(other, now, step) &&
		    READ_ONCE(per_cpu(wk_guard, other)) != WR_GUARD_IDLE)
			return true;
	return false;
}

static void find_watcher(unsigned int cpu, u64 now, u64 step)
{
	unsigned int other;

	for_each_cpu(other, &watched) {
		if (other == cpu || !is_overdue(other, now, step))
			continue;
		send_nmi(other);
		return;
	}
}

static void watch_in_turn(struct ticker *ticker, unsigned int cpu, u64 now, u64 step)
{
	/* What is called from here may have advice, which nobody could leave. */
	long guard = wk_guard_take();

	if (!is_any_overdue(cpu, now, step)) {
		if (guard != WR_GUARD_IDLE)
			find_watcher(cpu, now, step);
	} else if (!atomic_cmpxchg(&turn, 0, 1)) {
		wait_turn(now, step);
		now = ktime_get_mono_fast_ns();
		WRITE_ONCE(ticker->last, now);
		atomic_set(&turn, 0);
		watch_others(cpu, now, step);
	}
	wk_guard_give_back(guard);
}

/* An NMI of anybody else's is a tick as well, on a CPU whose own is overdue. */
static int on_nmi(unsigned int type, struct pt_regs *regs)
{
	struct ticker *ticker = this_cpu_ptr(&tickers);
	const unsigned int cpu = smp_processor_id();
	const bool sent = READ_ONCE(ticker->nmi);
	const u64 step = wk_ticks_step();
	struct iret_frame before;
	bool overdue;
	u64 now;

	if (!sent && (!step || wk_cpu_has_fred()))
		return NMI_DONE;
	now = ktime_get_mono_fast_ns();
	overdue = step && cpumask_test_cpu(cpu, &watched) && is_overdue(cpu, now, step);
	if (!sent && !overdue)
		return NMI_DONE;
	if (sent)
		WRITE_ONCE(ticker->nmi, 0);
	if (can_go_on(regs)) {
		memcpy(&before, &regs->ip, sizeof(before));
		tick(ticker, regs, now, NMI_PREEMPTS);
		if (regs->ip != before.ip)
			go_on(regs, &before);
	}
	if (overdue)
		watch_in_turn(ticker, cpu, now, step);
	if (!sent)
		return NMI_DONE;
	ticker->handled = ktime_get_mono_fast_ns();
	return NMI_HANDLED;
}

/*
 * Ours may have been sent while another NMI was being handled, and be handled in that one's name.
 * Then it comes right behind, and is nobody's. The kernel knows such a one by its instruction
 * pointer, which is another where advice was left.
 */
static int on_unknown_nmi(unsigned int type, struct pt_regs *regs)
{
	struct ticker *ticker = this_cpu_ptr(&tickers);
	u64 handled = ticker->handled;

	ticker->handled = 0;
	return handled && ktime_get_mono_fast_ns() - handled < BEHIND_NS ? NMI_HANDLED : NMI_DONE;
}

static int register_nmis(void)
{
	int ret = register_nmi_handler(NMI_LOCAL, on_nmi, 0, "weft");

	if (ret)
		return ret;
	if (wk_cpu_has_fred())
		pr_notice("NMIs come by FRED: advice that runs too long with interrupts off goes "
			  "on\n");
	ret = register_nmi_handler(NMI_UNKNOWN, on_unknown_nmi, 0, "weft");
	if (ret)
		unregister_nmi_handler(NMI_LOCAL, "weft");
	return ret;
}

static void unregister_nmis(void)
{
	unregister_nmi_handler(NMI_UNKNOWN, "weft");
	unregister_nmi_handler(NMI_LOCAL, "weft");
}

/* ---- by timer -------------------------------------------------------------------------------- */

/*
 * @soon: a whole step from now. So where the machine stood still (another one had the processor),
 * that counts as one tick, however long it took.
 */
static void arm(struct ticker *ticker, unsigned int cpu, u64 now, u64 step, bool soon)
{
	u64 period = 2 * step, phase = cpu % 2 * step;
	u64 due = soon ? now + step : (div64_u64(now - phase, period) + 1) * period + phase;

	hrtimer_set_expires(&ticker->timer, ns_to_ktime(due));
	WRITE_ONCE(ticker->due, due);
}

static enum hrtimer_restart on_timer(struct hrtimer *timer)
{
	struct ticker *ticker = container_of(timer, struct ticker, timer);
	unsigned int cpu = smp_processor_id();
	u64 now = ktime_get_mono_fast_ns(), step = wk_ticks_step();
	bool soon;

	if (!step)
		return HRTIMER_NORESTART;
	soon = tick(ticker, get_irq_regs(), now, TIMER_PREEMPTS);
	soon |= watch_others(cpu, now, step);
	arm(ticker, cpu, now, step, soon);
	return HRTIMER_RESTART;
}

/* On the CPU whose timer it starts; it may run already. */
static void start(void *unused)
{
	struct ticker *ticker = this_cpu_ptr(&tickers);
	u64 now = ktime_get_ns();

	hrtimer_try_to_cancel(&ticker->timer);
	arm(ticker, smp_processor_id(), now, wk_ticks_step(), false);
	WRITE_ONCE(ticker->last, now);
	cpumask_set_cpu(smp_processor_id(), &watched);
	hrtimer_start_expires(&ticker->timer, HRTIMER_MODE_ABS_PINNED_HARD);
}

static void stop(unsigned int cpu)
{
	cpumask_clear_cpu(cpu, &watched);
	hrtimer_cancel(per_cpu_ptr(&tickers.timer, cpu));
}

void wk_ticks_run(u64 step)
{
	unsigned int cpu;

	cpus_read_lock();
	WRITE_ONCE(step_now, step);
	if (step)
		on_each_cpu(start, NULL, true);
	else
		for_each_online_cpu(cpu)
			stop(cpu);
	cpus_read_unlock();
}

/* ---- a CPU comes or goes --------------------------------------------------------------------- */

/* On that CPU; nobody is in wk_ticks_run(). */
static int on_online(unsigned int cpu)
{
	if (step_now) {
		preempt_disable();
		start(NULL);
		preempt_enable();
	}
	return 0;
}

static int on_offline(unsigned int cpu)
{
	stop(cpu);
	return 0;
}

int __init wk_ticks_init(bool (*look_)(const struct wk_tick *tick))
{
	unsigned int cpu;
	int ret;

	look = look_;
	for_each_possible_cpu(cpu)
		wk_timer_setup(per_cpu_ptr(&tickers.timer, cpu), on_timer, CLOCK_MONOTONIC,
			       HRTIMER_MODE_ABS_PINNED_HARD);
	ret = register_nmis();
	if (ret)
		return ret;
	ret = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "weft:online", on_online, on_offline);
	if (ret < 0) {
		unregister_nmis();
		return ret;
	}
	hotplug_state = ret;
	return 0;
}

void wk_ticks_deinit(void)
{
	unsigned int cpu;

	cpuhp_remove_state_nocalls(hotplug_state);
	/* One that was sent by the last tick may be on its way. */
	for_each_online_cpu(cpu)
		while (READ_ONCE(per_cpu(tickers.nmi, cpu)))
			cpu_relax();
	unregister_nmis();
}
