/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ticks: each CPU is interrupted regularly, and a function is called with the registers of what was
 * interrupted. A tick is a timer interrupt or, on a CPU that has interrupts off, an NMI. The
 * interval is counted in steps; there are ticks only while a step is set (wk_ticks_run()).
 *
 * The timer of a CPU fires every second step, and that of a CPU with an odd number one step later
 * than the others. After a tick for which @look of wk_ticks_init() has returned true, or if the CPU
 * has sent NMIs to others, its timer fires after one step already.
 *
 * NMIs come from other CPUs. At its timer interrupt a CPU watches the CPUs after it, in the order
 * of their numbers: it sends an NMI to each CPU that runs advice and whose tick is overdue, and
 * stops at the first CPU whose tick is not overdue. So a CPU with interrupts off is seen only if
 * there is a CPU with interrupts on. If all CPUs have interrupts off, the watching begins with the
 * first NMI that weft did not send: the kernel's watchdog for hard lockups, for example, sends one
 * every ten seconds. From then on the CPUs watch each other from their NMI handlers. What runs in
 * an NMI is never seen.
 */
#ifndef WK_TICKS_H
#define WK_TICKS_H

#include <linux/types.h>

struct pt_regs;

struct wk_tick {
	struct pt_regs *regs; /* registers of the interrupted code; it continues with them */
	u64 now;	      /* nanoseconds of CLOCK_MONOTONIC */
	u64 since;	      /* nanoseconds since the last tick of this CPU */
	int preempts;	      /* by how much the tick itself has raised the preemption count */
	bool nmi;
};

/*
 * @look: is called for each tick, in a timer interrupt or an NMI. It returns true if the CPU's next
 * tick is to come after one step instead of two. wk_ticks_init() may sleep.
 */
int wk_ticks_init(bool (*look)(const struct wk_tick *tick));
void wk_ticks_deinit(void);

/*
 * Sets the step, in nanoseconds; 0: no ticks. When wk_ticks_run(0) has returned, no timer calls
 * @look any more; but an NMI that a tick has sent before may still do so, until wk_ticks_deinit().
 * Process context; takes cpus_read_lock(). The caller serializes calls.
 */
void wk_ticks_run(u64 step);

/* The step that is set; 0: none. Any context. */
u64 wk_ticks_step(void);

#endif /* WK_TICKS_H */
