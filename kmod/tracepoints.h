/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tracepoints that an aspect has advice at. A tracepoint does nothing until a probe is
 * registered at it. A single probe is called directly; if there are two, the kernel calls the
 * tracepoint's iterator function (struct tracepoint.iterator), which calls each probe. The advice's
 * shadow is in that function. So weft.ko registers an empty probe there twice, as long as the
 * aspect is woven. Process context, may sleep; under wk_mutex.
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
 * @joinpoints are those of the plan's aspect. @tracepoints is empty before. -ENOENT: a shadow that
 * the aspect marks as a tracepoint's is not in the function of one; -ENOMEM; or an error of
 * tracepoint_probe_register().
 */
int wk_tracepoints_enable(struct wk_tracepoints *tracepoints, const struct wk_part *parts,
			  const struct weft_joinpoint *joinpoints, const struct wk_plan *plan);
/* Unregisters the probes. Cannot fail. @tracepoints is empty afterwards. */
void wk_tracepoints_disable(struct wk_tracepoints *tracepoints);

/* Waits until no CPU is in the empty probe. Nothing is woven. */
void wk_tracepoints_deinit(void);

#endif /* WK_TRACEPOINTS_H */
