/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When advice starts and stops. A weave has a beginning and may have an end; each advice may start
 * later and stop sooner, both counted from that beginning.
 *
 * All splices are in the text from the weave on, so that nothing can fail when an advice starts:
 * until then it is jumped over inside its trampoline. What is due follows from the clock alone, so
 * what was missed is made up for at the next turn. When no advice is left that runs or is still to
 * start, the aspect is unwoven. All under wk_mutex.
 */
#ifndef WK_TIMING_H
#define WK_TIMING_H

#include <linux/list.h>
#include <linux/types.h>

#include "runtime/advice.h"

struct wk_metrics;

struct wk_timing {
	struct list_head list; /* of those whose time runs, while the aspect is woven */
	const struct weft_aspect *module;
	struct wk_metrics *metrics;   /* the module's: their time runs with their advice */
	/* struct wk_attachment.in_aspect: what is woven of it */
	const struct list_head *attachments;
	/*
	 * Called when no advice is left that runs or is still to start: unweaves it, which calls
	 * wk_timing_end().
	 */
	void (*over)(struct wk_timing *timing);
	u64 after, lasts; /* nanoseconds, as in struct weft_weave */
	u64 start;	  /* ktime_get_ns() of the beginning */
	u64 next;	  /* the next moment at which something is to be done; U64_MAX: none */
	bool ended;	  /* it was unwoven since no advice was left; until it is woven again */
};

int wk_timing_init(void);
void wk_timing_deinit(void);

/* Initialises @timing for a new module; the pointers stay valid while it is loaded. */
void wk_timing_create(struct wk_timing *timing, const struct weft_aspect *module,
		      struct wk_metrics *metrics, const struct list_head *attachments);

/* Before a weave. -EINVAL: times that are too long. */
int wk_timing_prepare(struct wk_timing *timing, const struct weft_weave *request);

/* Does @advice start later than the weave? Its attachments are then closed at first. */
bool wk_timing_waits(const struct wk_timing *timing, u32 advice);

/* Will @advice of a woven aspect run no more? */
bool wk_timing_is_over(const struct wk_timing *timing, u32 advice);

/* Right before the weave: starts the metrics that start with it. */
void wk_timing_start_metrics(struct wk_timing *timing);

/* The aspect is woven: its time runs from now. @over is called when that has ended. */
void wk_timing_begin(struct wk_timing *timing, void (*over)(struct wk_timing *timing));

/* It is unwoven: @over is called no more. */
void wk_timing_end(struct wk_timing *timing);

void wk_timing_status(const struct wk_timing *timing, struct weft_status *status);

#endif /* WK_TIMING_H */
