// SPDX-License-Identifier: GPL-2.0-or-later
/* Releases matches; see matches.h. */
#include <stdlib.h>

#include "base/pool.h"
#include "database/matches.h"

void wv_matches_deinit(struct wv_matches *matches)
{
	wv_vec_deinit(&matches->list);
	if (matches->strings)
		wv_pool_deinit(matches->strings);
	free(matches->strings);
	matches->strings = NULL;
}
