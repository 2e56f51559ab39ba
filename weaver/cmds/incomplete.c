// SPDX-License-Identifier: GPL-2.0-or-later
/* Warns of joinpoints that an answer may lack; see incomplete.h. */
#include <stdio.h>

#include "aspect/resolve/pick-lacks.h"
#include "base/json-writer.h"
#include "base/notation.h"
#include "cmds/incomplete.h"
#include "cmds/show-progress.h"
#include "database/unprepared.h"
#include "module/incomplete-note.h"

struct warning {
	const struct wv_aspect *aspect;
	const char *database;
	struct wv_str *json;
};

static void add_json(const struct warning *warning, const struct wv_unprepared *unprepared,
		     const char *text)
{
	struct wv_json json = WV_JSON(warning->json);

	wv_json_begin_object(&json, NULL);
	wv_json_text(&json, "incomplete", text);
	wv_json_text_if(&json, "database", warning->database);
	wv_json_unsigned(&json, "units", unprepared->units);
	wv_json_unsigned(&json, "known", unprepared->known);
	if (unprepared->counted)
		wv_json_unsigned(&json, "missing", unprepared->missing);
	wv_json_end_object(&json);
}

/*
 * Prints the warning for one pointcut. @location is the location of the pointcut in the aspect's
 * file, or NULL if the pointcut comes from the command line.
 */
static int warn(const struct warning *warning, const struct wv_text_location *location,
		const struct wv_pointcut *pointcut, const struct wv_unprepared *unprepared,
		struct wv_error *error)
{
	_cleanup_str_ struct wv_str text = { 0 };

	wv_unprepared_text(unprepared, pointcut, &text);
	if (text.failed)
		return wv_no_memory(error);
	if (!text.n)
		return 0;
	if (warning->json)
		add_json(warning, unprepared, text.data);
	wv_progress_end();
	fprintf(stderr, "weft: warning: ");
	if (location)
		fprintf(stderr, "%s: ", wv_source_text(warning->aspect->path, location->line,
						       location->column).text);
	if (warning->database)
		fprintf(stderr, "%s: ", warning->database);
	fprintf(stderr, "%s\n", text.data);
	return 0;
}

static int warn_leaf(const struct wv_pick *leaf, const struct wv_unprepared *unprepared,
		     void *context, struct wv_error *error)
{
	return warn(context, &leaf->location, &leaf->pointcut, unprepared, error);
}

int wv_warn_incomplete(struct wv_db *db, const struct wv_asked *asked, const char *database,
		       struct wv_str *json, struct wv_error *error)
{
	_cleanup_unprepared_ struct wv_unprepared unprepared = { 0 };
	struct warning warning = { asked->aspect, database, json };
	int ret;

	if (!asked->pointcut)
		return wv_pick_lacks(asked->aspect, db, warn_leaf, &warning, error);
	ret = wv_db_unprepared(db, asked->pointcut, asked->within, &unprepared, error);
	return ret ? ret : warn(&warning, NULL, asked->pointcut, &unprepared, error);
}

static void warn_line(void *context, const char *line)
{
	(void)context;
	fprintf(stderr, "weft: warning: %s\n", line);
}

void wv_warn_module_incomplete(const struct wv_aspect_module *module)
{
	wv_incomplete_lines(&module->incomplete, warn_line, NULL);
}
