/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the kernel call the iterator functions of those tracepoints that an aspect has advice at.
 *
 * The advice's shadow is in the tracepoint's iterator function (struct tracepoint.iterator), which
 * calls each probe that is registered at the tracepoint. But the kernel calls this function only if
 * there are at least two probes: it calls a single probe directly, and without a probe the
 * tracepoint does nothing. So weft.ko registers an empty probe twice, as long as the aspect is
 * woven. Process context, may sleep; under wk_mutex.
 */
#ifndef WK_TRACEPOINTS_H
#define WK_TRACEPOINTS_H

#include <linux/types.h>

struct tracepoint;
struct weft_joinpoint;
struct wk_part;
struct wk_plan;

struct wk_tracepoints {
	struct tracepoint **enabled; /* array of ->nr pointers, to be freed */
	u32 nr;
};

/*
 * Enables the tracepoints that the checked plan @plan has shadows at: all or none. @parts and
 * @joinpoints are those of the plan's aspect. @tracepoints is empty before. Returns 0, an error of
 * tracepoint_probe_register(), or one of these:
 * -ENOENT: the aspect marks a shadow as a tracepoint's, but it is not in an iterator function
 * -ENOMEM: memory is short
 */
int wk_tracepoints_enable(struct wk_tracepoints *tracepoints, const struct wk_part *parts,
			  const struct weft_joinpoint *joinpoints, const struct wk_plan *plan);
/* Unregisters the probes. Cannot fail. @tracepoints is empty afterwards. */
void wk_tracepoints_disable(struct wk_tracepoints *tracepoints);

/* Waits until no CPU is in the empty probe. Nothing is woven. */
void wk_tracepoints_deinit(void);

#endif /* WK_TRACEPOINTS_H */
