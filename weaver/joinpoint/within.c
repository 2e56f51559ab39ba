// SPDX-License-Identifier: GPL-2.0-or-later
/* Narrows matches down to a file or a function; see db.h. */
#include <string.h>

#include "joinpoint/db-internal.h"

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

int wv_matches_within(struct wv_matches *matches, const char *within, struct wv_error *error)
{
	size_t kept = 0, n = matches->list.n;

	for (size_t i = 0; i < n; i++) {
		const struct wv_match *match = &matches->list.data[i];

		if (is_file(match->file, within) || is_function(match->function, within) ||
		    is_function(match->symbol, within))
			matches->list.data[kept++] = *match;
	}
	matches->list.n = kept;
	if (n && !kept)
		return wv_fail(error, WV_E_NO_MATCH,
			       "none of the %zu places is within a file or function '%s'", n, within);
	return 0;
}
