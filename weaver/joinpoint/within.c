// SPDX-License-Identifier: GPL-2.0-or-later
/* Narrows matches down to a file or a function; see db.h. */
#include <string.h>

#include "joinpoint/db-internal.h"
#include "joinpoint/near.h"

static bool is_file(const char *file, const char *wanted)
{
	size_t n = file ? strlen(file) : 0, m = strlen(wanted);

	return file && n >= m && !strcmp(file + n - m, wanted) &&
	       (n == m || file[n - m - 1] == '/');
}

/* A function's own name, or the name before a compiler's suffix. */
static bool is_function(const char *function, const char *wanted)
{
	size_t m = strlen(wanted);

	return function && !strncmp(function, wanted, m) && (!function[m] || function[m] == '.');
}

/* Nothing is within it: offers the names that the matches have, files by as many components as were asked for. */
static int explain(const struct wv_matches *matches, size_t n, const char *within,
		   struct wv_error *error)
{
	struct wv_near near = { .wanted = within };
	char hint[512];

	for (size_t i = 0; i < n; i++) {
		const struct wv_match *match = &matches->list.data[i];

		if (match->file)
			wv_near_offer(&near, wv_path_tail(match->file, within));
		if (match->function)
			wv_near_offer(&near, match->function);
		if (match->symbol)
			wv_near_offer(&near, match->symbol);
	}
	return wv_fail(error, WV_E_NO_MATCH, "none of the %zu places is within a file or function '%s'%s",
		       n, within, wv_near_text(&near, hint, sizeof(hint)));
}

int wv_matches_within(struct wv_matches *matches, const char *within, struct wv_error *error)
{
	size_t kept = 0, n = matches->list.n;

	for (size_t i = 0; i < n; i++) {
		const struct wv_match *match = &matches->list.data[i];

		if (is_file(match->file, within) || is_function(match->function, within) ||
		    is_function(match->symbol, within))
			matches->list.data[kept++] = *match;
	}
	if (n && !kept)
		return explain(matches, n, within, error);
	matches->list.n = kept;
	return 0;
}
