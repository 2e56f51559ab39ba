// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of legal transitions; see aspect-state.h, which has them as a picture. */
#include "aspect-state.h"

static const struct {
	const char *name;
	unsigned int next; /* a bit for each state that may follow */
} states[] = {
	[WEFT_STATE_LOADED] = { "loaded", 1u << WEFT_STATE_STARTING | 1u << WEFT_STATE_GONE },
	[WEFT_STATE_STARTING] = { "starting", 1u << WEFT_STATE_WOVEN | 1u << WEFT_STATE_ENDING |
						      1u << WEFT_STATE_LOADED },
	[WEFT_STATE_WOVEN] = { "woven", 1u << WEFT_STATE_RETIRING },
	[WEFT_STATE_RETIRING] = { "retiring", 1u << WEFT_STATE_ENDING | 1u << WEFT_STATE_LOADED },
	[WEFT_STATE_ENDING] = { "ending", 1u << WEFT_STATE_LOADED },
	[WEFT_STATE_GONE] = { "gone", 0 },
};

bool wk_aspect_may_become(enum weft_state from, enum weft_state to)
{
	return states[from].next & 1u << to;
}

void wk_aspect_state_check(enum weft_state from, enum weft_state to, const char *name)
{
	WK_BUG(!wk_aspect_may_become(from, to), "%s: %s does not follow %s\n", name,
	       states[to].name, states[from].name);
}
