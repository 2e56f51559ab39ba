// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Accounting at a context switch; see sched-switch.h. A pair's ->away is the sum of the times at
 * which its task was switched in minus the sum of those at which its task was switched out. So it
 * is negative while the task is switched out.
 *
 * The probe runs with the run queue's lock held and interrupts off, and searches one bucket of the
 * table for each of the two tasks. While it runs, only an NMI on this CPU can end a pair of one of
 * these tasks. If that happens, and a new pair begins in the same slot, the new pair's time is
 * wrong.
 */
#define pr_fmt(fmt) "weft: " fmt

#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/tracepoint.h>

#include "metrics/sched-switch.h"
#include "metrics/tracepoint.h"

static __always_inline void leave(const struct wr_pairs *pairs, struct wr_pair *slot, u64 state,
				  u64 now)
{
	u64 *away = &pairs->away[slot - pairs->slots];

	WRITE_ONCE(*away, *away - now);
}

static __always_inline void come_back(const struct wr_pairs *pairs, struct wr_pair *slot, u64 state,
				      u64 now)
{
	u64 *away = &pairs->away[slot - pairs->slots];

	/*
	 * Usually ->away is negative here, since leave() has subtracted the time. It is not if the
	 * pair began after this probe had run for the switch out, while the task was still being
	 * switched out. Then the whole time since the pair's start is the time away.
	 */
	if ((s64)*away >= 0)
		now -= state >> WR_PAIR_TIME;
	WRITE_ONCE(*away, *away + now);
}

static __always_inline void
each_pair(const struct wk_switches *switches, const struct task_struct *task, u64 now,
	  void (*account)(const struct wr_pairs *pairs, struct wr_pair *slot, u64 state, u64 now))
{
	u64 key = wr_task_key(task);

	for (const struct wk_switched *each = switches->first; each; each = each->next) {
		const struct wr_pairs *pairs = each->pairs;
		struct wr_pair *slot;

		slot = wr_pair_bucket(pairs->slots, pairs->bits, key);
		for (int way = 0; way < WR_PAIR_WAYS; way++, slot++) {
			u64 state = wr_pair_state(slot);

			if (wr_pair_is_waiting(state) && READ_ONCE(slot->key) == key)
				account(pairs, slot, state, now);
		}
	}
}

static void notrace on_switch(void *data, bool preempt, struct task_struct *prev,
			      struct task_struct *next, unsigned int prev_state)
{
	const struct wk_switches *switches = data;
	u64 now = wr_now(switches->clock);

	each_pair(switches, prev, now, leave);
	each_pair(switches, next, now, come_back);
}

int wk_sched_switch_watch(struct wk_switches *switches)
{
	struct tracepoint *tracepoint;

	if (!switches->first)
		return 0;
	tracepoint = wk_tracepoint_find("sched_switch");
	if (!tracepoint) {
		pr_err("clock=\"cpu\" needs the tracepoint sched_switch, which this kernel does "
		       "not have\n");
		return -EOPNOTSUPP;
	}
	return tracepoint_probe_register(tracepoint, on_switch, switches);
}

void wk_sched_switch_unwatch(struct wk_switches *switches)
{
	struct tracepoint *tracepoint = switches->first ? wk_tracepoint_find("sched_switch") : NULL;

	if (!tracepoint)
		return;
	tracepoint_probe_unregister(tracepoint, on_switch, switches);
	tracepoint_synchronize_unregister();
}
