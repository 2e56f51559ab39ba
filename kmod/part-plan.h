/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The plan for a module that is being loaded: nobody can ask the weaver for it then. Process
 * context, may sleep; under wk_mutex.
 */
#ifndef WK_PART_PLAN_H
#define WK_PART_PLAN_H

struct module;
struct wk_aspect;
struct wk_plan;

/*
 * Makes and checks the plan of all joinpoints of @aspect in @module, whose parts have been found:
 * what is left in it is accepted, and what is not in it is added to each part's ->nr_refused. 0,
 * also if the plan is empty; -EINVAL: a shadow was refused that the aspect cannot do without;
 * -ENOMEM. Free with wk_plan_deinit().
 */
int wk_part_plan_make(struct wk_plan *ret, const struct wk_aspect *aspect,
		      const struct module *module);

#endif /* WK_PART_PLAN_H */
