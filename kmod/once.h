/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Advice that runs once at each joinpoint. The advice itself notes in a byte that it has run, by a compare-and-exchange, so of two CPUs
 * one runs it; neither does again. A look at these bytes every tenth of a second, in a worker, finds the splices that are needed no longer
 * and has them taken out by the steps of an unweave. So nothing is asked of the advice's context, which may be any, and what costs is
 * over soon after the first hit.
 */
#ifndef WK_ONCE_H
#define WK_ONCE_H

struct wk_aspect;

/* Before @aspect is woven: all its joinpoints are WEFT_ONCE_NOT. -ENOMEM. Under wk_mutex, as wk_once_watch(). */
int wk_once_prepare(struct wk_aspect *aspect);

/* @aspect is woven. */
void wk_once_watch(const struct wk_aspect *aspect);

/* Waits for a look that is under way; nothing is woven. */
void wk_once_deinit(void);

#endif /* WK_ONCE_H */
