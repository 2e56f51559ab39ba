/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks at what each CPU is doing, again and again: by a timer interrupt, and by an NMI where that
 * does not come because interrupts are off. While none is asked for, there are none.
 *
 * A CPU is interrupted each second step, and each step while there is something to follow. CPUs of
 * odd numbers are a step behind the others. Each CPU watches the next one: if that one's tick is
 * overdue and advice runs there, it gets an NMI; and it watches those behind it as well, up to one
 * whose tick is not overdue. So it takes a CPU with interrupts on to see what runs with interrupts
 * off. Where there is none, an NMI of somebody else's begins it, such as the kernel's own watchdog
 * for hard lockups has every ten seconds; from there on the CPUs that it holds up watch each other.
 * Nothing is seen of what runs in an NMI.
 */
#ifndef WK_TICKS_H
#define WK_TICKS_H

#include <linux/types.h>

struct pt_regs;

struct wk_tick {
	struct pt_regs *regs; /* of what was interrupted; it goes on with them */
	u64 now;	      /* nanoseconds of CLOCK_MONOTONIC */
	u64 since;	      /* nanoseconds since the last tick of this CPU */
	int preempts;	      /* by how much the tick itself has raised the preemption count */
	bool nmi;
};

/*
 * @look: is called for each tick, in a timer interrupt or an NMI. It returns true if there is
 * something to follow. May sleep.
 */
int wk_ticks_init(bool (*look)(const struct wk_tick *tick));
void wk_ticks_deinit(void);

/*
 * Sets the step, in nanoseconds; 0: no ticks. Calls to @look may be running until it has returned.
 * Process context; takes cpus_read_lock(). The caller serializes calls.
 */
void wk_ticks_run(u64 step);

/* The step that is set; 0: none. Any context. */
u64 wk_ticks_step(void);

#endif /* WK_TICKS_H */
