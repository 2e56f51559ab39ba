// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Start and stop times; see timing.h. One timer serves all aspects. It queues one work item, which
 * handles every aspect whose time is due. Neither the timer nor the work item refers to a
 * particular aspect, so an aspect can be freed without waiting for them. The timer is an hrtimer
 * because the timer wheel may be late by an eighth of the delay.
 */
#define pr_fmt(fmt) "weft: " fmt

#include <linux/kernel.h>
#include <linux/workqueue.h>

#include "base/lock.h"
#include "compat/timer-setup.h"
#include "metrics/metrics.h"
#include "splice/noted-calls.h"
#include "splice/poke.h"
#include "splice/splice.h"
#include "timing.h"
#include "splice/write.h"

static struct workqueue_struct *queue;
static struct hrtimer timer;
static LIST_HEAD(running); /* list of struct wk_timing */

/* ---- computing what is to run at a time ------------------------------------------------------ */

/*
 * When @advice starts (opens_at()) and stops (closes_at()), on the clock of ktime_get_ns().
 * U64_MAX: never.
 */
static u64 opens_at(const struct wk_timing *timing, u32 advice)
{
	return timing->start + timing->module->advices[advice].start_after;
}

static u64 closes_at(const struct wk_timing *timing, u32 advice)
{
	u64 stop_after = timing->module->advices[advice].stop_after, lasts = timing->lasts;
	u64 soonest = min(stop_after ? stop_after : U64_MAX, lasts ? lasts : U64_MAX);

	return soonest == U64_MAX ? U64_MAX : timing->start + soonest;
}

static bool is_open(const struct wk_timing *timing, u32 advice, u64 now)
{
	return now >= opens_at(timing, advice) && now < closes_at(timing, advice);
}

/*
 * Has all advice reached its stop time? That includes advice whose stop time comes before its start
 * time, and which never runs.
 */
static bool is_over(const struct wk_timing *timing, u64 now)
{
	for (u32 i = 0; i < timing->module->header->nr_advices; i++)
		if (now < closes_at(timing, i))
			return false;
	return true;
}

static u64 next_moment(const struct wk_timing *timing, u64 now)
{
	u64 next = U64_MAX;

	for (u32 i = 0; i < timing->module->header->nr_advices; i++) {
		u64 opens = opens_at(timing, i), closes = closes_at(timing, i);

		if (opens > now)
			next = min(next, opens);
		if (closes > now)
			next = min(next, closes);
	}
	return next;
}

/* ---- starting and stopping advice ------------------------------------------------------------ */

static void count_time(struct wk_timing *timing, u64 now)
{
	for (u32 i = 0; i < timing->module->header->nr_advices; i++) {
		u32 metric = timing->module->advices[i].metric;

		if (metric)
			wk_metrics_run(timing->metrics, metric - 1, is_open(timing, i, now));
	}
}

/*
 * Lets the advice run that is to run at @now, and makes trampolines skip all other advice: the code
 * that calls an advice (struct wk_block) is opened or closed. Then starts and stops the metrics of
 * this advice, after the text was written. So the time of a metric ends after its last hit, but
 * begins a little after its first.
 */
static void open_and_close(struct wk_timing *timing, u64 now)
{
	struct wk_attachment *attachment;

	wk_write_begin(0, 0, 0);
	list_for_each_entry(attachment, timing->attachments, in_aspect) {
		bool open = is_open(timing, attachment->shadow.joinpoint->advice, now);

		if (open && attachment->closed)
			wk_poke_open(attachment);
		else if (!open && !attachment->closed)
			wk_poke_close(attachment);
		cond_resched();
	}
	wk_poke_finish();
	wk_write_end();
	wk_calls_begin(timing->attachments);
	count_time(timing, now);
}

static void look_at(struct wk_timing *timing)
{
	u64 now = ktime_get_ns();

	wk_assert_locked();
	if (is_over(timing, now)) {
		timing->over(timing);
		timing->ended = true;
		return;
	}
	open_and_close(timing, now);
	if (timing->after && now >= timing->start)
		timing->starts(timing);
	timing->next = next_moment(timing, now);
}

static void set_timer(void)
{
	const struct wk_timing *timing;
	u64 next = U64_MAX;

	list_for_each_entry(timing, &running, list)
		next = min(next, timing->next);
	if (next != U64_MAX)
		hrtimer_start(&timer, ns_to_ktime(next), HRTIMER_MODE_ABS);
}

static void look_at_all(struct work_struct *work)
{
	struct wk_timing *timing, *next;

	mutex_lock(&wk_mutex);
	list_for_each_entry_safe(timing, next, &running, list)
		if (timing->next <= ktime_get_ns())
			look_at(timing);
	set_timer();
	mutex_unlock(&wk_mutex);
}

static DECLARE_WORK(work, look_at_all);

static enum hrtimer_restart on_timer(struct hrtimer *which)
{
	queue_work(queue, &work);
	return HRTIMER_NORESTART;
}

/* ---- the times of one aspect ----------------------------------------------------------------- */

void wk_timing_create(struct wk_timing *timing, const struct weft_aspect *module,
		      struct wk_metrics *metrics, const struct list_head *attachments)
{
	*timing = (struct wk_timing){
		.module = module, .metrics = metrics, .attachments = attachments, .next = U64_MAX
	};
	INIT_LIST_HEAD(&timing->list);
}

int wk_timing_prepare(struct wk_timing *timing, const struct weft_weave *request)
{
	wk_assert_locked();
	if (request->after > WEFT_TIME_MAX || request->lasts > WEFT_TIME_MAX)
		return -EINVAL;
	for (u32 i = 0; i < timing->module->header->nr_advices; i++)
		if (timing->module->advices[i].start_after > WEFT_TIME_MAX ||
		    timing->module->advices[i].stop_after > WEFT_TIME_MAX)
			return -EINVAL;
	timing->after = request->after;
	timing->lasts = request->lasts;
	timing->start = 0;
	timing->next = U64_MAX;
	timing->ended = false;
	return 0;
}

bool wk_timing_waits(const struct wk_timing *timing, u32 advice)
{
	if (timing->start)
		return !is_open(timing, advice, ktime_get_ns());
	return timing->after || timing->module->advices[advice].start_after;
}

bool wk_timing_is_over(const struct wk_timing *timing, u32 advice)
{
	return ktime_get_ns() >= closes_at(timing, advice);
}

void wk_timing_start_metrics(struct wk_timing *timing)
{
	wk_assert_locked();
	for (u32 i = 0; i < timing->module->header->nr_advices; i++) {
		u32 metric = timing->module->advices[i].metric;

		if (metric && !wk_timing_waits(timing, i))
			wk_metrics_run(timing->metrics, metric - 1, true);
	}
}

void wk_timing_begin(struct wk_timing *timing, void (*starts)(struct wk_timing *timing),
		     void (*over)(struct wk_timing *timing))
{
	u64 now = ktime_get_ns();

	wk_assert_locked();
	timing->starts = starts;
	timing->over = over;
	list_add_tail(&timing->list, &running);
	timing->start = now + timing->after;
	timing->next = next_moment(timing, now);
	set_timer();
}

void wk_timing_end(struct wk_timing *timing)
{
	wk_assert_locked();
	list_del_init(&timing->list);
}

static bool any_has_begun(const struct wk_timing *timing, u64 now)
{
	for (u32 i = 0; i < timing->module->header->nr_advices; i++)
		if (now >= opens_at(timing, i))
			return true;
	return false;
}

void wk_timing_status(const struct wk_timing *timing, struct weft_status *status)
{
	u64 now = ktime_get_ns(), next = timing->next;

	wk_assert_locked();
	status->phase = timing->ended ? WEFT_PHASE_ENDED : WEFT_PHASE_RUNNING;
	if (list_empty(&timing->list))
		return;
	if (!any_has_begun(timing, now))
		status->phase = WEFT_PHASE_WAITING;
	if (next != U64_MAX)
		status->next = next > now ? next - now : 1;
}

int __init wk_timing_init(void)
{
	queue = alloc_ordered_workqueue("weft-time", WQ_HIGHPRI);
	wk_timer_setup(&timer, on_timer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS);
	return queue ? 0 : -ENOMEM;
}

void wk_timing_deinit(void)
{
	hrtimer_cancel(&timer);
	destroy_workqueue(queue);
}
