/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Advice that runs once at each joinpoint. The advice itself notes in a byte that it has run, by a compare-and-exchange, so of two CPUs
 * one runs it; neither does again. A look at these bytes every tenth of a second, in a worker, finds the splices that are needed no longer
 * and has them taken out by the steps of an unweave; it ends when no advice is left that waits and whose time is not over. So nothing
 * is asked of the advice's context, which may be any, and what costs is over soon after the first hit.
 */
#ifndef WK_ONCE_H
#define WK_ONCE_H

#include <linux/types.h>

struct wk_aspect;

/*
 * For a weave of @aspect: a state for each of its joinpoints, all WEFT_ONCE_NOT; NULL where none of its advice runs once. They are the
 * weave's until it has succeeded, so that one that fails leaves those of the weave before. kvfree(). -ENOMEM. Under wk_mutex.
 */
int wk_once_prepare(const struct wk_aspect *aspect, u8 **ret);

/* @aspect is woven, with @states, which are its own now; those of the weave before go. NULL: with none. Under wk_mutex. */
void wk_once_begin(struct wk_aspect *aspect, u8 *states);

/* Waits for a look that is under way; nothing is woven. */
void wk_once_deinit(void);

#endif /* WK_ONCE_H */
