/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Weaves and unweaves the splices of an aspect, all or nothing. Process context, may sleep; under
 * wk_mutex.
 */
#ifndef WK_WEAVE_H
#define WK_WEAVE_H

#include "runtime/abi.h"

struct wk_aspect;
struct wk_plan;
struct wk_retirement;

/*
 * Applies @plan, in which nothing is refused, and adds its advice calls to those of @aspect, which
 * may be woven already. @once: the states of once-advice, by joinpoint (once.h); NULL: there is
 * none. @flags: of the WEFT_WEAVE_* flags only URGENT and BALANCE matter here. Returns 0, an error
 * of wk_exec_mem_seal(), or one of these; after an error nothing has changed.
 * -EINVAL: the plan's elements of one splice do not follow each other
 * -ERANGE: a trampoline, or the exit of around-advice, is too far from where it leads to
 * -ENOSPC: a trampoline is longer than was expected
 * -ENOMEM: memory is short
 * -EAGAIN: the live text has changed since the plan was checked, or another owner's bytes are there
 * now; the elements' refusals say which
 */
int wk_weave(struct wk_aspect *aspect, struct wk_plan *plan, u8 *once, u32 flags);

/*
 * Restores the text and starts the aspect's retirement; @ended is called when that ends (retire.h).
 * Allocates nothing and cannot fail. Returns the number of splices whose original bytes are
 * restored.
 */
u32 wk_unweave(struct wk_aspect *aspect, void (*ended)(struct wk_retirement *retirement));

/*
 * Removes the advice calls whose state is WEFT_ONCE_HIT, sets their state to WEFT_ONCE_OUT
 * (once.h), and starts their retirement. Does nothing if memory is short.
 */
void wk_unweave_hit(struct wk_aspect *aspect);

#endif /* WK_WEAVE_H */
