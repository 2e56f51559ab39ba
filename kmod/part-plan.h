/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the plan for a module that is being loaded. Usually the weaver in user space makes plans,
 * but weft.ko cannot ask it while a module is being loaded. Process context, may sleep; under
 * wk_mutex.
 */
#ifndef WK_PART_PLAN_H
#define WK_PART_PLAN_H

struct module;
struct wk_aspect;
struct wk_plan;

/*
 * Makes and checks the plan of all joinpoints of @aspect in @module. The caller has called
 * wk_parts_find(). The plan has only splices that were accepted; refused shadows are added to
 * ->nr_refused of their parts. Returns 0, also if the plan is empty, or one of these errors. The
 * caller frees the plan with wk_plan_deinit().
 * -EINVAL: a shadow was refused that the aspect cannot do without
 * -ENOMEM: memory is short
 */
int wk_part_plan_make(struct wk_plan *ret, const struct wk_aspect *aspect,
		      const struct module *module);

#endif /* WK_PART_PLAN_H */
