/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tracepoints that an aspect has advice at. A tracepoint does nothing until something is
 * registered at it. One thing is called directly; with two, the kernel calls the tracepoint's
 * function (struct tracepoint.iterator), which calls each. The advice's shadow is in that function.
 * So an aspect registers an empty function there, twice, as long as it is woven. Process context,
 * may sleep; under wk_mutex.
 */
#ifndef WK_TRACEPOINTS_H
#define WK_TRACEPOINTS_H

#include <linux/types.h>

struct tracepoint;
struct weft_joinpoint;
struct wk_part;
struct wk_plan;

struct wk_tracepoints {
	struct tracepoint **enabled; /* nr of them, owned */
	u32 nr;
};

/*
 * Enables those that @plan, a checked one, has shadows at: all or none. @parts and @joinpoints are
 * the aspect's that the plan is of. @tracepoints is empty before. -ENOENT: a shadow that the aspect
 * says is a tracepoint's is not; -ENOMEM; or an error of tracepoint_probe_register().
 */
int wk_tracepoints_enable(struct wk_tracepoints *tracepoints, const struct wk_part *parts,
			  const struct weft_joinpoint *joinpoints, const struct wk_plan *plan);
/* Cannot fail. @tracepoints is empty afterwards. */
void wk_tracepoints_disable(struct wk_tracepoints *tracepoints);

/* Waits until no CPU is in the empty function. Nothing is woven. */
void wk_tracepoints_deinit(void);

#endif /* WK_TRACEPOINTS_H */
