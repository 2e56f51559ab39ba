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

/* By how much a tick raises the preemption count, if it is a timer interrupt. */
enum { TIMER_PREEMPTS = HARDIRQ_OFFSET };

enum { FOLLOWS_NS = 100 * NSEC_PER_MSEC, LOST_NS = NSEC_PER_SEC };

/* In ticker.nmi: the NMI may not have been sent yet. */
enum { SENDING = 1 };

/*
 * By how much a tick raises the preemption count, if it is an NMI: by what nmi_enter() adds, and by
 * 1 if the RCU read lock, which nmi_handle() takes, disables preemption.
 */
enum {
	NMI_PREEMPTS = NMI_OFFSET + HARDIRQ_OFFSET +
		       (IS_ENABLED(CONFIG_PREEMPT_COUNT) && !IS_ENABLED(CONFIG_PREEMPT_RCU)),
};

/*
 * The ticks of one CPU. Written by that CPU only, except ->nmi. Times are nanoseconds of
 * CLOCK_MONOTONIC.
 */
struct ticker {
	struct hrtimer timer;
	u64 due;  /* time at which the timer fires next */
	u64 last; /* time of the CPU's last tick */
	/*
	 * time when weft sent the CPU an NMI that is not handled yet, with SENDING in the lowest
	 * bit; 0: there is none
	 */
	u64 nmi;
	/*
	 * For on_unknown_nmi(). ->handled: time at which on_nmi() handled the CPU's last NMI as one
	 * that weft had sent; 0: it did not. ->handled_before: the same of the NMI before that.
	 */
	u64 handled, handled_before;
	bool maybe_sent; /* on_nmi() has found SENDING set at the CPU's last NMI */
};

static DEFINE_PER_CPU(struct ticker, tickers);
static struct cpumask watched; /* the CPUs whose timers run */
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

/* ---- ticks by NMI ---------------------------------------------------------------------------- */

static bool is_overdue(unsigned int cpu, u64 now, u64 step)
{
	return now >= READ_ONCE(per_cpu(tickers.due, cpu)) + step / 4;
}

/*
 * True: the local APIC is in its old mode (xAPIC), where an interrupt is sent by two writes: first
 * of its target (ICR2), then of the command. An NMI may come in between, and its handler must not
 * leave another target there: the interrupted code would send its interrupt to a wrong CPU.
 */
static bool sends_in_two_writes;

/*
 * Sends no second NMI to @cpu before the first is handled. The processor may merge two of them, and
 * then it is unknown for how many the handler has run. But an NMI that is not handled after LOST_NS
 * counts as lost.
 */
static void send_nmi(unsigned int cpu, u64 now)
{
	u64 *nmi = per_cpu_ptr(&tickers.nmi, cpu), sent = READ_ONCE(*nmi);
	u32 target = 0;

	if (sent && now < sent + LOST_NS)
		return;
	now |= SENDING;
	if (cmpxchg(nmi, sent, now) != sent)
		return;
	if (in_nmi() && sends_in_two_writes)
		target = apic->read(APIC_ICR2);
	apic->send_IPI(cpu, NMI_VECTOR);
	if (in_nmi() && sends_in_two_writes)
		apic->write(APIC_ICR2, target);
	cmpxchg(nmi, now, now & ~(u64)SENDING);
}

/*
 * Sends an NMI to each CPU that runs advice and whose tick is overdue. Returns whether there was
 * one. Goes through the watched CPUs after @cpu and stops at the first one whose tick came in time:
 * that CPU watches the CPUs after it. An overdue CPU without advice does not end the search: it may
 * be waiting, with interrupts off, for a lock that is held while advice runs on a further CPU.
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
		send_nmi(other, now);
		found = true;
	}
	return found;
}

/*
 * The frame that the processor pushes at an NMI. To change where an NMI handler returns to, it is
 * not enough to change its struct pt_regs: asm_exc_nmi keeps two copies of this frame next to each
 * other. The first copy is the end of struct pt_regs. The second, right above it, is the one that
 * iret uses, so it must be changed, too.
 *
 * There are two copies because an NMI may interrupt the handler, once an exception in the handler
 * has returned. Such an NMI changes the second copy so that the handler's iret jumps to repeat_nmi.
 * That copies the first frame over the second again, and the handler runs once more.
 *
 * With FRED there are no such copies. Whether a handler can return with changed registers there was
 * never tried, so with FRED no CPU is watched.
 */
struct iret_frame {
	unsigned long ip, cs, flags, sp, ss;
};

static struct iret_frame *iret_frame(struct pt_regs *regs)
{
	return (struct iret_frame *)(regs + 1);
}

/*
 * Returns whether both frames are as described above and no other NMI has interrupted this one.
 * Otherwise this NMI does not count as a tick.
 */
static bool can_go_on(struct pt_regs *regs)
{
	return !user_mode(regs) && !memcmp(iret_frame(regs), &regs->ip, sizeof(struct iret_frame));
}

/*
 * Makes the NMI handler return as @regs says. @before: the frame of @regs before they were changed.
 * If another NMI has come in between, the second frame is not equal to @before any more, since that
 * NMI has changed it. This function then leaves it alone: repeat_nmi will copy the changed
 * registers into it.
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
 * A CPU that gets an NMI while its tick is overdue watches the other CPUs, as a timer interrupt
 * would. If all CPUs have interrupts off, only NMI handlers can watch, so the CPUs take turns. One
 * CPU waits in its NMI handler while the others go on, and sends them NMIs after a step; one of
 * those is the next to wait. The time for which a CPU waits is not counted as time of the advice
 * that its NMI has interrupted. If no other CPU is in overdue advice but this one runs advice, it
 * needs a CPU that watches it: it sends an NMI to any overdue CPU, even to one that is waiting for
 * a lock.
 */
enum {
	/* how long a CPU waits at most: the kernel reports NMI handlers that take a millisecond */
	TURN_NS = 250 * NSEC_PER_USEC,
	TURN_ROUNDS = 20000,	       /* limit of the loop, in case the clock stands still */
};

static atomic_t turn; /* 1: a CPU is waiting in its NMI handler (wait_turn()) */

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
		send_nmi(other, now);
		return;
	}
}

static void watch_in_turn(struct ticker *ticker, unsigned int cpu, u64 now, u64 step)
{
	/*
	 * Holds the nesting guard, so that no advice runs: functions that are called from here may
	 * be woven, and advice that runs too long in an NMI cannot be ended.
	 */
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

/*
 * Handles NMIs: one that weft has sent is a tick. On a CPU whose timer tick is overdue, any other
 * NMI counts as a tick as well.
 */
static int on_nmi(unsigned int type, struct pt_regs *regs)
{
	struct ticker *ticker = this_cpu_ptr(&tickers);
	const unsigned int cpu = smp_processor_id();
	const u64 nmi = READ_ONCE(ticker->nmi);
	const bool sent = nmi && !(nmi & SENDING);
	const u64 step = wk_ticks_step();
	struct iret_frame before;
	bool overdue;
	u64 now;

	ticker->handled_before = ticker->handled;
	ticker->handled = 0;
	ticker->maybe_sent = nmi & SENDING;
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
 * Called for an NMI that no handler has claimed. Claims it if weft has sent it. There are two kinds
 * of these:
 * - If weft sends an NMI while the CPU is handling another one, on_nmi() finds ->nmi set during
 *   that other NMI and does the work then. weft's own NMI follows as soon as the handlers have
 *   returned, and is the CPU's next NMI. The kernel recognizes such a follower by its instruction
 *   pointer, which has not changed; but it has changed if advice was left. Handlers may take
 *   long, and so may the host of a virtual machine: the time until the follower comes is limited
 *   generously (FOLLOWS_NS).
 * - While the sender may not have sent its NMI yet (SENDING), on_nmi() does not take any NMI for
 *   weft's, since weft's could then come at any later time. If it was weft's, it is still
 *   unclaimed.
 * One unknown NMI that is none of weft's is claimed if it comes instead of such a follower.
 */
static int on_unknown_nmi(unsigned int type, struct pt_regs *regs)
{
	struct ticker *ticker = this_cpu_ptr(&tickers);
	const u64 handled = ticker->handled_before;

	if (ticker->maybe_sent) {
		WRITE_ONCE(ticker->nmi, 0);
		ticker->handled = ktime_get_mono_fast_ns();
		return NMI_HANDLED;
	}
	return handled && ktime_get_mono_fast_ns() - handled < FOLLOWS_NS ? NMI_HANDLED : NMI_DONE;
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

/* ---- ticks by timer -------------------------------------------------------------------------- */

/*
 * Sets the time at which the timer of @cpu fires next. With @soon, that is one step after @now.
 * Otherwise it is the next time after @now that belongs to the CPU's regular ticks, every second
 * step. Either way it does not depend on the time at which the timer was due. A guest may stand
 * still for long because its host has taken the processor away: the ticks that were due meanwhile
 * are then one tick, and do not come all at once.
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
	/*
	 * This CPU has its tick now, so CPUs that get NMIs must not find it overdue and send one
	 * back (watch_in_turn()). That matters where the tick is late, as in a virtual machine.
	 */
	WRITE_ONCE(ticker->due, ktime_get_mono_fast_ns() + step);
	soon |= watch_others(cpu, now, step);
	arm(ticker, cpu, now, step, soon);
	return HRTIMER_RESTART;
}

/* Starts the timer of the CPU on which this function runs. Restarts it if it is running already. */
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

/* ---- CPUs that go online or offline ---------------------------------------------------------- */

/*
 * Runs on the CPU that comes up. wk_ticks_run() cannot run meanwhile, since it takes
 * cpus_read_lock().
 */
static int on_online(unsigned int cpu)
{
	/*
	 * An NMI that was sent to this CPU as it went offline may be lost. Unless ->nmi is cleared,
	 * nobody would ever send another one.
	 */
	this_cpu_write(tickers.nmi, 0);
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
	sends_in_two_writes = !apic_is_x2apic_enabled();
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
	u64 until;
	unsigned int cpu;

	cpuhp_remove_state_nocalls(hotplug_state);
	/*
	 * Wait until every NMI that the last ticks have sent is handled, but for a second at most.
	 * A CPU that stands still for longer gets its NMI when weft.ko does not handle NMIs any
	 * more.
	 */
	until = ktime_get_mono_fast_ns() + NSEC_PER_SEC;
	for_each_online_cpu(cpu) {
		while (READ_ONCE(per_cpu(tickers.nmi, cpu)) && ktime_get_mono_fast_ns() < until)
			cpu_relax();
		if (READ_ONCE(per_cpu(tickers.nmi, cpu)))
			pr_warn("CPU %u has not handled an NMI of weft's for a second: the kernel "
				"reports it as unknown when it comes\n",
				cpu);
	}
	unregister_nmis();
}
