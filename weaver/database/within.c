// SPDX-License-Identifier: GPL-2.0-or-later
/* Narrows matches down to a file, a function or a module; see within.h. */
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "base/notation.h"
#include "database/db-handle.h"
#include "database/db.h"
#include "database/file-name.h"
#include "base/suggest.h"
#include "database/no-match.h"
#include "database/within.h"

static bool is_file(const char *file, const char *wanted)
{
	return file && wv_file_is(file, wanted);
}

/*
 * Returns whether @pattern matches a function's name: the whole name, or the name as the source has
 * it, without a suffix from the compiler such as ".isra.0".
 */
static bool is_like(const char *name, const char *pattern)
{
	char known[256];

	if (!name)
		return false;
	snprintf(known, sizeof(known), "%.*s", (int)strcspn(name, "."), name);
	return !fnmatch(pattern, known, FNM_NOESCAPE) || !fnmatch(pattern, name, FNM_NOESCAPE);
}

/*
 * Reports that the restriction to @within has left no match. Suggests similar names of functions
 * and files, taken from the matches. Files are shown with as many components as the user wrote.
 */
static int explain(const struct wv_matches *matches, size_t n, const char *within,
		   struct wv_error *error)
{
	struct wv_suggestion suggestion = { .wanted = within };
	char hint[512];

	for (size_t i = 0; i < n; i++) {
		const struct wv_match *match = &matches->list.data[i];

		if (match->file)
			wv_suggestion_offer(&suggestion, wv_file_part(match->file, within));
		if (match->function)
			wv_suggestion_offer(&suggestion, match->function);
		if (match->symbol)
			wv_suggestion_offer(&suggestion, match->symbol);
	}
	return wv_fail(error, WV_E_NO_MATCH, "none of the %s is within a file or function '%s'%s",
		       wv_count_text(n, "place").text, within,
		       wv_suggestion_text(&suggestion, hint, sizeof(hint)));
}

int wv_matches_within(struct wv_matches *matches, const char *within, struct wv_error *error)
{
	size_t kept = 0, n = matches->list.n;

	for (size_t i = 0; i < n; i++) {
		const struct wv_match *match = &matches->list.data[i];

		if (is_file(match->file, within) || is_like(match->function, within) ||
		    is_like(match->symbol, within))
			matches->list.data[kept++] = *match;
	}
	if (n && !kept)
		return explain(matches, n, within, error);
	matches->list.n = kept;
	return 0;
}

/* ---- a <within> with several conditions, which may be patterns ------------------------------- */

bool wv_module_is(const char *module, const char *pattern)
{
	char known[256];

	snprintf(known, sizeof(known), "%s", pattern);
	for (char *at = known; *at; at++)
		if (*at == '-')
			*at = '_';
	return !fnmatch(known, module ? module : WV_VMLINUX, FNM_NOESCAPE);
}

bool wv_db_image_is(const struct wv_db *db, uint64_t image, const char *pattern)
{
	return !pattern || wv_module_is(wv_db_image_name(db, image), pattern);
}

bool wv_match_is_within(const struct wv_match *match, const struct wv_within *within)
{
	if (within->function && !is_like(match->function, within->function) &&
	    !is_like(match->symbol, within->function))
		return false;
	if (within->file && !is_file(match->file, within->file))
		return false;
	return !within->module || wv_module_is(match->module, within->module);
}

/*
 * Returns 0 if @is_same accepts @wanted for one of the names that @sql returns. Returns
 * -WV_E_NO_MATCH if it accepts @wanted for none of them; the message then suggests a similar name,
 * if there is one and @wanted is not a pattern. Returns another error if the database cannot be
 * read. @thing is the word that the message has for these names, as "module" in "no module 'x'".
 */
static int look_up(struct wv_db *db, const char *sql, const char *wanted, const char *thing,
		   bool (*is_same)(const char *name, const char *wanted), struct wv_error *error)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	struct wv_suggestion suggestion = { .wanted = wanted };
	char hint[512];
	bool more, found = false;
	int failed = wv_db_prepare(db, sql, &statement, error);

	if (!failed)
		failed = wv_db_step(db, statement, &more, error);
	while (!failed && more && !found) {
		const char *name = wv_db_text(statement, 0);

		found = is_same(name, wanted);
		wv_suggestion_offer(&suggestion, name);
		failed = wv_db_step(db, statement, &more, error);
	}
	if (failed || found)
		return failed;
	if (wv_is_pattern(wanted))
		return wv_fail(error, WV_E_NO_MATCH, "no %s of this kernel is named like '%s'",
			       thing, wanted);
	return wv_fail(error, WV_E_NO_MATCH, "no %s '%s' in this %s%s", thing, wanted,
		       is_same == wv_module_is ? "database" : "kernel",
		       wv_suggestion_text(&suggestion, hint, sizeof(hint)));
}

int wv_db_explain_module(struct wv_db *db, const char *pattern, struct wv_error *error)
{
	return look_up(db, "SELECT name FROM image", pattern, "module", wv_module_is, error);
}

int wv_db_explain_within(struct wv_db *db, const struct wv_within *within, enum wv_within_part part,
			 struct wv_error *error)
{
	switch (part) {
	case WV_WITHIN_FUNCTION:
		return !within->function ? 0 :
		       look_up(db, "SELECT name FROM function UNION SELECT name FROM symbol WHERE "
				   WV_SQL_IS_NO_LABEL("flags") " UNION SELECT name FROM inline",
			       within->function, "function", is_like, error);
	case WV_WITHIN_FILE:
		return within->file ? wv_db_explain_file(db, within->file, error) : 0;
	case WV_WITHIN_MODULE:
		return within->module ? wv_db_explain_module(db, within->module, error) : 0;
	case WV_WITHIN_PARTS:
		break;
	}
	return 0;
}
