/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The states of an aspect (enum weft_state, which user space sees, too). They change under
 * wk_mutex.
 *
 * 	 register         weave                 unweave, or its time is over
 * 	--------> LOADED -------> STARTING --> WOVEN --> RETIRING
 * 	           | ^ ^  refused   |  |                    |
 * 	unregister | | +------------+  | the weave fails    | no task can be in its
 * 	           | |                 v                    | advice any more
 * 	           | +-------------- ENDING <---------------+
 * 	           v
 * 	          GONE ---> freed, when no data is left that a reader may ask for
 *
 * LOADED: its module is loaded, and none of its splices are in the text. It can be woven, and its
 * module can be unloaded. A weave takes a reference to the module, which is dropped when the aspect
 * becomes LOADED again.
 *
 * STARTING: a weave has begun. While the author's start block runs, wk_mutex is not held, so any
 * other request may come between. But no request can weave or unweave this aspect, and its module
 * is in use. If the weave fails, the aspect becomes LOADED again; if the start block has succeeded
 * before that, the aspect is ENDING first.
 *
 * WOVEN: all splices of its plan are in the text, except those of advice that runs only once and
 * has run. Its start and stop times are running, and its metrics count.
 *
 * RETIRING: no text leads to its advice any more. But tasks may still be in its advice or
 * trampolines, or a splice is blocked by another owner's int3. The aspect can be neither woven nor
 * unwoven.
 *
 * ENDING: the author's end block runs, without wk_mutex, like a start block. Aspects without an end
 * block skip this state.
 *
 * A task that dies in a start or end block, by an oops, leaves the aspect STARTING or ENDING until
 * the next boot: what the block had done by then is unknown, so its module stays.
 *
 * GONE: the module was unloaded. Unread records, metrics and the states of once-advice are kept
 * until they are read or reset, or an aspect of the same name is loaded.
 */
#ifndef WK_ASPECT_STATE_H
#define WK_ASPECT_STATE_H

#include <linux/types.h>

#include "runtime/abi.h"
#include "base/self-check.h"

/* May @to follow @from? */
bool wk_aspect_may_become(enum weft_state from, enum weft_state to);

/* Debug builds: warns if this transition of the aspect called @name is not allowed. */
void wk_aspect_state_check(enum weft_state from, enum weft_state to, const char *name);

/* Returns @to, the state that the aspect called @name enters from @from. */
static inline enum weft_state wk_aspect_state_enter(enum weft_state from, enum weft_state to,
						    const char *name)
{
	if (WK_DEBUG_BUILD)
		wk_aspect_state_check(from, to, name);
	return to;
}

#endif /* WK_ASPECT_STATE_H */
