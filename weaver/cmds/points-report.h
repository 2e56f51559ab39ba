/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Formats the results of `weft points`. */
#ifndef WV_POINTS_REPORT_H
#define WV_POINTS_REPORT_H

#include "x86/decode.h"
#include "base/json-writer.h"
#include "base/str.h"
#include "cmds/source-lines.h"
#include "database/db.h"
#include "database/query.h"

/* Settings of the report. */
struct wv_points_style {
	size_t limit; /* maximum number of matches to show; the totals count all matches */
	struct wv_source source; /* the lines of source that are shown */
};

/*
 * Adds the keys of @match to the JSON object that is open in @json. Other programs read these keys,
 * in this order (docs/database.md).
 */
void wv_points_keys(struct wv_db *db, struct wv_decoder *decoder, const struct wv_match *match,
		    struct wv_source *source, struct wv_json *json);

/* Appends one JSON object for each match. @db supplies the names of call targets. */
int wv_points_json(struct wv_db *db, const struct wv_matches *matches,
		   struct wv_points_style *style, struct wv_str *out, struct wv_error *error);

/* Appends a table of the matches, and totals of all matches. */
int wv_points_text(struct wv_db *db, const struct wv_matches *matches,
		   struct wv_points_style *style, struct wv_str *out, struct wv_error *error);

/*
 * Sorts @matches, joinpoints of a member, and appends them grouped by kind of access, and totals.
 */
int wv_points_by_accessor(struct wv_db *db, const struct wv_matches *matches,
			  struct wv_points_style *style, struct wv_str *out,
			  struct wv_error *error);

#endif /* WV_POINTS_REPORT_H */
