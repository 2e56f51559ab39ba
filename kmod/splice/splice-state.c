// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of legal transitions; see splice-state.h, which has them as a picture. */
#include "splice/splice-state.h"

#define TO(state) (1u << WK_STATE_##state)

static const struct {
	const char *name;
	unsigned int next; /* TO()s that may follow */
} states[WK_STATES] = {
	[WK_STATE_NONE] = { "none", TO(NEW) },
	[WK_STATE_NEW] = { "new", TO(LISTED) | TO(NONE) },
	[WK_STATE_LISTED] = { "listed", TO(TRAP) | TO(OPTIMIZING) | TO(JUMP) | TO(OUT) },
	[WK_STATE_TRAP] = { "trap", TO(TRAP) | TO(BLOCKED_TRAP) | TO(LISTED) },
	[WK_STATE_OPTIMIZING] = { "optimizing",
				  TO(OPTIMIZING) | TO(JUMP) | TO(BLOCKED_TRAP) | TO(LISTED) },
	[WK_STATE_JUMP] = { "jump", TO(JUMP) | TO(BLOCKED_JUMP) | TO(LISTED) },
	[WK_STATE_BLOCKED_TRAP] = { "blocked trap", TO(LISTED) },
	[WK_STATE_BLOCKED_JUMP] = { "blocked jump", TO(LISTED) },
	[WK_STATE_OUT] = { "out", TO(BLOCKED_SLOT) | TO(NONE) },
	[WK_STATE_BLOCKED_SLOT] = { "blocked slot", TO(OUT) },
};

bool wk_state_may_follow(enum wk_splice_state from, enum wk_splice_state to)
{
	return states[from].next & 1u << to;
}

void wk_state_check(enum wk_splice_state from, enum wk_splice_state to, unsigned long address)
{
	WK_BUG(!wk_state_may_follow(from, to), "splice at %pS: %s does not follow %s\n",
	       (void *)address, states[to].name, states[from].name);
}
