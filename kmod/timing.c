// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Launch and splash; see timing.h. One timer for all aspects wakes one work item, which looks at all of them: nothing in flight names an
 * aspect, so none has to be waited for when it goes. The timer is a precise one: those of the wheel may be an eighth too late.
 */
#define pr_fmt(fmt) "weft: " fmt

#include <linux/hrtimer.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>

#include "aspect.h"
#include "device.h"
#include "splice/poke.h"
#include "splice/splice.h"
#include "timing.h"
#include "splice/write.h"

static struct workqueue_struct *queue;
static struct hrtimer timer;

/* ---- what follows from the clock ------------------------------------------------------------- */

/* When @advice opens and closes, on the clock of ktime_get_ns(). U64_MAX: never. */
static u64 opens_at(const struct wk_aspect *aspect, u32 advice)
{
	return aspect->timing.start + aspect->module->advices[advice].start_after;
}

static u64 closes_at(const struct wk_aspect *aspect, u32 advice)
{
	u64 stop_after = aspect->module->advices[advice].stop_after, lasts = aspect->timing.lasts;
	u64 soonest = min(stop_after ? stop_after : U64_MAX, lasts ? lasts : U64_MAX);

	return soonest == U64_MAX ? U64_MAX : aspect->timing.start + soonest;
}

static bool is_open(const struct wk_aspect *aspect, u32 advice, u64 now)
{
	return now >= opens_at(aspect, advice) && now < closes_at(aspect, advice);
}

/* Also one that has a launch behind its end never runs. */
static bool is_over(const struct wk_aspect *aspect, u64 now)
{
	for (u32 i = 0; i < aspect->module->header->nr_advices; i++)
		if (now < closes_at(aspect, i))
			return false;
	return true;
}

static u64 next_moment(const struct wk_aspect *aspect, u64 now)
{
	u64 next = U64_MAX;

	for (u32 i = 0; i < aspect->module->header->nr_advices; i++) {
		u64 opens = opens_at(aspect, i), closes = closes_at(aspect, i);

		if (opens > now)
			next = min(next, opens);
		if (closes > now)
			next = min(next, closes);
	}
	return next;
}

/* ---- doing it -------------------------------------------------------------------------------- */

static void count_time(struct wk_aspect *aspect, u64 now)
{
	for (u32 i = 0; i < aspect->module->header->nr_advices; i++) {
		u32 metric = aspect->module->advices[i].metric;

		if (metric)
			wk_metrics_run(&aspect->metrics, metric - 1, is_open(aspect, i, now));
	}
}

/* Metrics' clocks begin before the first hit and end behind the last. */
static void open_and_close(struct wk_aspect *aspect, u64 now)
{
	struct wk_attachment *attachment;

	wk_write_begin(0, 0, 0);
	list_for_each_entry(attachment, &aspect->attachments, in_aspect) {
		bool open = is_open(aspect, attachment->shadow.joinpoint->advice, now);

		if (open && attachment->closed)
			wk_poke_open(attachment);
		else if (!open && !attachment->closed)
			wk_poke_close(attachment);
		cond_resched();
	}
	wk_poke_finish();
	wk_write_end();
	count_time(aspect, now);
}

static void look_at(struct wk_aspect *aspect)
{
	u64 now = ktime_get_ns();

	if (is_over(aspect, now)) {
		wk_take_out(aspect);
		aspect->timing.ended = true;
		return;
	}
	open_and_close(aspect, now);
	aspect->timing.next = next_moment(aspect, now);
}

static void set_timer(void)
{
	struct wk_aspect *aspect;
	u64 next = U64_MAX;

	for (unsigned int i = 0; (aspect = wk_aspect_at(i)); i++)
		if (aspect->state == WEFT_STATE_WOVEN)
			next = min(next, aspect->timing.next);
	if (next != U64_MAX)
		hrtimer_start(&timer, ns_to_ktime(next), HRTIMER_MODE_ABS);
}

static void look_at_all(struct work_struct *work)
{
	struct wk_aspect *aspect;

	mutex_lock(&wk_mutex);
	for (unsigned int i = 0; (aspect = wk_aspect_at(i)); i++)
		if (aspect->state == WEFT_STATE_WOVEN && aspect->timing.next <= ktime_get_ns())
			look_at(aspect);
	set_timer();
	mutex_unlock(&wk_mutex);
}

static DECLARE_WORK(work, look_at_all);

static enum hrtimer_restart on_timer(struct hrtimer *which)
{
	queue_work(queue, &work);
	return HRTIMER_NORESTART;
}

/* ---- an aspect ------------------------------------------------------------------------------- */

int wk_timing_prepare(struct wk_aspect *aspect, const struct weft_weave *request)
{
	if (request->after > WEFT_TIME_MAX || request->lasts > WEFT_TIME_MAX)
		return -EINVAL;
	for (u32 i = 0; i < aspect->module->header->nr_advices; i++)
		if (aspect->module->advices[i].start_after > WEFT_TIME_MAX || aspect->module->advices[i].stop_after > WEFT_TIME_MAX)
			return -EINVAL;
	aspect->timing = (struct wk_timing){ .after = request->after, .lasts = request->lasts, .next = U64_MAX };
	return 0;
}

bool wk_timing_waits(const struct wk_aspect *aspect, u32 advice)
{
	return aspect->timing.after || aspect->module->advices[advice].start_after;
}

bool wk_timing_is_over(const struct wk_aspect *aspect, u32 advice)
{
	return ktime_get_ns() >= closes_at(aspect, advice);
}

void wk_timing_start_metrics(struct wk_aspect *aspect)
{
	for (u32 i = 0; i < aspect->module->header->nr_advices; i++) {
		u32 metric = aspect->module->advices[i].metric;

		if (metric && !wk_timing_waits(aspect, i))
			wk_metrics_run(&aspect->metrics, metric - 1, true);
	}
}

void wk_timing_begin(struct wk_aspect *aspect)
{
	u64 now = ktime_get_ns();

	aspect->timing.start = now + aspect->timing.after;
	aspect->timing.next = next_moment(aspect, now);
	set_timer();
}

static bool any_has_begun(const struct wk_aspect *aspect, u64 now)
{
	for (u32 i = 0; i < aspect->module->header->nr_advices; i++)
		if (now >= opens_at(aspect, i))
			return true;
	return false;
}

void wk_timing_status(const struct wk_aspect *aspect, struct weft_status *status)
{
	u64 now = ktime_get_ns(), next = aspect->timing.next;

	status->phase = aspect->timing.ended ? WEFT_PHASE_ENDED : WEFT_PHASE_RUNNING;
	if (aspect->state != WEFT_STATE_WOVEN)
		return;
	if (!any_has_begun(aspect, now))
		status->phase = WEFT_PHASE_WAITING;
	if (next != U64_MAX)
		status->next = next > now ? next - now : 1;
}

int __init wk_timing_init(void)
{
	queue = alloc_ordered_workqueue("weft-time", WQ_HIGHPRI);
	hrtimer_init(&timer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS);
	timer.function = on_timer;
	return queue ? 0 : -ENOMEM;
}

void wk_timing_deinit(void)
{
	hrtimer_cancel(&timer);
	destroy_workqueue(queue);
}
