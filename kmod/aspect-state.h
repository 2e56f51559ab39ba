/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The life of an aspect, as states: enum weft_state, which user space sees, too. Under wk_mutex.
 *
 * 	  register          weave         unweave, or its time is over
 * 	---------> LOADED ---------> WOVEN ---------> RETIRING
 * 	             |  ^                                |
 * 	  unregister |  +--------------------------------+ nobody can be in its advice any more
 * 	             v
 * 	            GONE ---> freed: nothing is left that somebody may ask for
 *
 * LOADED: its module is there, and nothing of it is in the text. It can be woven, and its module
 * can go: a weave holds a reference, which retirement gives back.
 *
 * WOVEN: every splice of its plan is in the text, but those whose advice was to run once and has.
 * Its time runs, its metrics count. A weave that fails leaves it LOADED: it was never WOVEN.
 *
 * RETIRING: its advice is reached by nobody any more, but tasks may still be in it, in trampolines,
 * or somebody's int3 keeps a splice in the text. It can neither be woven nor unwoven.
 *
 * GONE: the module is gone. Its records, metrics and what is known of advice that ran once stay
 * until somebody has read them, or an aspect of the same name is loaded.
 */
#ifndef WK_ASPECT_STATE_H
#define WK_ASPECT_STATE_H

#include <linux/types.h>

#include "runtime/abi.h"
#include "base/self-check.h"

/* May @to follow @from? */
bool wk_aspect_may_become(enum weft_state from, enum weft_state to);

/*
 * What debug builds do with each transition of the aspect called @name: warn where it is illegal.
 */
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
