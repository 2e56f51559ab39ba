/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks each element of a plan against the live kernel, weft's own splices and the table of
 * joinpoints in the aspect's module. Changes nothing in the kernel. Under wk_mutex, may sleep.
 */
#ifndef WK_PLAN_CHECK_H
#define WK_PLAN_CHECK_H

struct wk_aspect;
struct wk_plan;

/*
 * Fills the refusals of @plan, ->nr_refused and ->found. Returns 0 even if elements are refused,
 * or:
 * -ENOMEM: memory is short
 * -EINTR: a fatal signal is pending
 */
int wk_plan_check(struct wk_plan *plan, const struct wk_aspect *aspect);

#endif /* WK_PLAN_CHECK_H */
