/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The plan for a module that is being loaded. weft.ko makes it, since it cannot ask the weaver
 * then. Process context, may sleep; under wk_mutex.
 */
#ifndef WK_PART_PLAN_H
#define WK_PART_PLAN_H

struct module;
struct wk_aspect;
struct wk_plan;

/*
 * Makes and checks the plan of all joinpoints of @aspect in @module; wk_parts_find() was called
 * before. The plan has only splices that were accepted. Refused shadows are added to ->nr_refused
 * of their parts. Returns 0, also if the plan is empty; -EINVAL: a shadow was refused that the
 * aspect cannot do without; -ENOMEM. Free with wk_plan_deinit().
 */
int wk_part_plan_make(struct wk_plan *ret, const struct wk_aspect *aspect,
		      const struct module *module);

#endif /* WK_PART_PLAN_H */
