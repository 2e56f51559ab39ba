/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The states of an aspect (enum weft_state, which user space sees, too). They change under
 * wk_mutex.
 *
 * 	  register          weave         unweave, or its time is over
 * 	---------> LOADED ---------> WOVEN ---------> RETIRING
 * 	             |  ^                                |
 * 	  unregister |  +--------------------------------+ no task can be in its advice any more
 * 	             v
 * 	            GONE ---> freed, when no data is left that a reader may ask for
 *
 * LOADED: its module is loaded, and none of its splices are in the text. It can be woven, and its
 * module can be unloaded. A weave takes a reference to the module, which is dropped at the end of
 * retirement.
 *
 * WOVEN: all splices of its plan are in the text, except those of once-advice that has run. Its
 * start and stop times are running, and its metrics count. If a weave fails, the aspect stays
 * LOADED.
 *
 * RETIRING: no text leads to its advice any more. But tasks may still be in its advice or
 * trampolines, or a splice is blocked by another owner's int3. It can be neither woven nor unwoven.
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
