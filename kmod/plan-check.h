/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A plan is checked splice by splice against the live kernel, weft's own splices and the aspect's
 * table. Nothing here changes anything. Under wk_mutex, may sleep.
 */
#ifndef WK_PLAN_CHECK_H
#define WK_PLAN_CHECK_H

struct wk_aspect;
struct wk_plan;

/*
 * Fills the refusals of @plan, for @aspect, and what else is found. 0 even when splices are
 * refused; -ENOMEM, -EINTR (a fatal signal).
 */
int wk_plan_check(struct wk_plan *plan, const struct wk_aspect *aspect);

#endif /* WK_PLAN_CHECK_H */
