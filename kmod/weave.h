/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Weaving and unweaving, each all or nothing. Process context, may sleep; under wk_mutex. */
#ifndef WK_WEAVE_H
#define WK_WEAVE_H

#include "runtime/abi.h"

struct wk_aspect;
struct wk_plan;
struct wk_retirement;

/*
 * Applies a plan without refusals. -EAGAIN: live bytes changed since they were checked (the
 * splice's refusal says CHANGED); -ERANGE, -ENOMEM. Nothing was changed then. @once: the states of
 * advice that runs once, by joinpoint (once.h); NULL: there is none. @urgent: somebody waits until
 * its displaced ranges have optimized.
 */
int wk_weave(struct wk_aspect *aspect, struct wk_plan *plan, u8 *once, bool urgent);

/*
 * Restores the text and starts the aspect's retirement, at whose end @ended is called (retire.h).
 * Cannot fail: it allocates nothing. Returns the splices whose bytes are back.
 */
u32 wk_unweave(struct wk_aspect *aspect, void (*ended)(struct wk_retirement *retirement));

/*
 * Takes out what is WEFT_ONCE_HIT, which is WEFT_ONCE_OUT then (once.h), and starts its retirement;
 * nothing where memory is short.
 */
void wk_unweave_hit(struct wk_aspect *aspect);

#endif /* WK_WEAVE_H */
