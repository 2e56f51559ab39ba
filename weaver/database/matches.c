// SPDX-License-Identifier: GPL-2.0-or-later
/* Frees matches, and names their fates; see matches.h. */
#include <stdlib.h>

#include "base/pool.h"
#include "database/matches.h"
#include "database/pointcut.h"
#include "runtime/joinpoint-table.h"

void wv_matches_deinit(struct wv_matches *matches)
{
	wv_vec_deinit(&matches->list);
	if (matches->strings)
		wv_pool_deinit(matches->strings);
	free(matches->strings);
	matches->strings = NULL;
}

const char *wv_match_fate(const struct wv_match *match)
{
	const unsigned int needed = match->fates & ~(1u << WEFT_FATE_DEAD);

	if (!match->function)
		return "data";
	return wv_fate_name(match->fates ? __builtin_ctz(needed ?: match->fates) : WEFT_FATE_COUNT);
}
