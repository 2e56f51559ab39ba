// SPDX-License-Identifier: GPL-2.0-or-later
/* Narrows matches down to a file, a function or a module; see db.h. */
#include <fnmatch.h>
#include <stdio.h>
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

/* ---- several conditions, with patterns -------------------------------------------------------- */

/* A compiler's suffix is no part of the name that people know. */
static bool is_like(const char *function, const char *pattern)
{
	char name[256];

	if (!function)
		return false;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(function, "."), function);
	return !fnmatch(pattern, name, FNM_NOESCAPE) || !fnmatch(pattern, function, FNM_NOESCAPE);
}

static bool is_module(const char *module, const char *wanted)
{
	return !strcmp(module ? module : WV_VMLINUX, wanted);
}

bool wv_match_is_within(const struct wv_match *match, const struct wv_within *within)
{
	if (within->function && !is_like(match->function, within->function) &&
	    !is_like(match->symbol, within->function))
		return false;
	if (within->file && !is_file(match->file, within->file))
		return false;
	return !within->module || is_module(match->module, within->module);
}

/* Whether @wanted is like one of the names that @sql gives; all are offered as near ones. */
static int look_up(struct wv_db *db, const char *sql, const char *wanted, const char *thing,
		   struct wv_error *error)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	struct wv_near near = { .wanted = wanted };
	char hint[512];
	bool more, found = false;
	int failed = wv_db_prepare(db, sql, &statement, error);

	if (!failed)
		failed = wv_db_step(db, statement, &more, error);
	while (!failed && more && !found) {
		const char *name = wv_db_text(statement, 0);

		found = is_like(name, wanted);
		wv_near_offer(&near, name);
		failed = wv_db_step(db, statement, &more, error);
	}
	if (failed || found)
		return failed;
	return wv_fail(error, WV_E_NO_MATCH, "no %s '%s' in this kernel%s", thing, wanted,
		       wv_near_text(&near, hint, sizeof(hint)));
}

int wv_db_explain_within(struct wv_db *db, const struct wv_within *within, struct wv_error *error)
{
	int failed = 0;

	if (within->function)
		failed = look_up(db, "SELECT name FROM function UNION SELECT name FROM symbol"
				     " WHERE NOT flags & 4 UNION SELECT name FROM inline",
				 within->function, "function", error);
	if (!failed && within->file)
		failed = wv_db_explain_file(db, within->file, error);
	if (!failed && within->module && strcmp(within->module, WV_VMLINUX))
		failed = look_up(db, "SELECT name FROM image WHERE id UNION SELECT '" WV_VMLINUX "'",
				 within->module, "module", error);
	return failed;
}
