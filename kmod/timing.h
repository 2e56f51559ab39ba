/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When advice starts and stops. The time of an aspect begins when it is woven, or a while later
 * (weft_weave.after), and may have an end. Each advice may start later and stop sooner; both times
 * count from the beginning of the aspect's time.
 *
 * The weave writes all splices at once, also those of advice that starts later, so that nothing can
 * fail when it starts. Until then a jump inside the trampoline skips the code that calls the
 * advice. A work item writes and removes these jumps. Which advice is to run is computed from the
 * clock alone. So if the work item is late, or one run of it is missed, its next run makes up for
 * that. When all advice has reached its stop time, the aspect is unwoven. Under wk_mutex.
 */
#ifndef WK_TIMING_H
#define WK_TIMING_H

#include <linux/list.h>
#include <linux/types.h>

#include "runtime/advice.h"

struct wk_metrics;

struct wk_timing {
	/* on the list that the work item checks, while the aspect is woven */
	struct list_head list;
	const struct weft_aspect *module;
	/*
	 * the module's metrics; wk_metrics_run() starts and stops the time of each with its advice
	 */
	struct wk_metrics *metrics;
	/* list of struct wk_attachment, by ->in_aspect: the aspect's advice calls in the text */
	const struct list_head *attachments;
	/* called when advice has begun to run, at ->start; never if ->after is 0 */
	void (*starts)(struct wk_timing *timing);
	/*
	 * Called when all advice has reached its stop time: unweaves the aspect, which calls
	 * wk_timing_end().
	 */
	void (*over)(struct wk_timing *timing);
	u64 after, lasts; /* nanoseconds: weft_weave.after and .lasts */
	u64 start;	  /* ktime_get_ns() when the aspect's time begins; 0: not woven yet */
	u64 next;	  /* ktime_get_ns() of the next start or stop time; U64_MAX: none */
	/* the aspect was unwoven because all stop times had passed; cleared by the next weave */
	bool ended;
};

int wk_timing_init(void);
void wk_timing_deinit(void);

/*
 * Initializes @timing for a module that registers. The pointers must stay valid while it is loaded.
 */
void wk_timing_create(struct wk_timing *timing, const struct weft_aspect *module,
		      struct wk_metrics *metrics, const struct list_head *attachments);

/*
 * Called before a weave: takes the times of @request. -EINVAL: one of these, or of the times of the
 * module's advice, exceeds WEFT_TIME_MAX.
 */
int wk_timing_prepare(struct wk_timing *timing, const struct weft_weave *request);

/*
 * Returns whether @advice must not run yet, so that its new attachments are closed at first
 * (wk_attachment.closed). Before a weave: whether @advice starts later than the weave. For an
 * aspect that is woven already: whether @advice is not running now.
 */
bool wk_timing_waits(const struct wk_timing *timing, u32 advice);

/* Has @advice of a woven aspect reached its stop time? */
bool wk_timing_is_over(const struct wk_timing *timing, u32 advice);

/*
 * Starts the metrics whose advice starts with the weave. Called before the text is written.
 */
void wk_timing_start_metrics(struct wk_timing *timing);

/* Begins the time of an aspect that was woven just now. @starts, @over: see struct wk_timing. */
void wk_timing_begin(struct wk_timing *timing, void (*starts)(struct wk_timing *timing),
		     void (*over)(struct wk_timing *timing));

/* Called when the aspect is unwoven. Afterwards @over is not called any more. */
void wk_timing_end(struct wk_timing *timing);

void wk_timing_status(const struct wk_timing *timing, struct weft_status *status);

#endif /* WK_TIMING_H */
