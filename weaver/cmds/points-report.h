/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How `weft points` shows what the database answered. */
#ifndef WV_POINTS_REPORT_H
#define WV_POINTS_REPORT_H

#include "x86/decode.h"
#include "base/json-writer.h"
#include "base/str.h"
#include "cmds/source-lines.h"
#include "database/db.h"
#include "database/query.h"

/* How they are shown. */
struct wv_points_style {
	size_t limit; /* only so many matches are shown; totals count all */
	struct wv_source source;
};

/*
 * Adds the keys of @match to the object that is open in @json. The keys and their order are an
 * interface (docs/database.md).
 */
void wv_points_keys(struct wv_db *db, struct wv_decoder *decoder, const struct wv_match *match,
		    struct wv_source *source, struct wv_json *json);

/* All add to @out. @db names the targets of calls. */
int wv_points_json(struct wv_db *db, const struct wv_matches *matches,
		   struct wv_points_style *style, struct wv_str *out, struct wv_error *error);

/* The table, and under it the totals of all matches. */
int wv_points_text(struct wv_db *db, const struct wv_matches *matches,
		   struct wv_points_style *style, struct wv_str *out, struct wv_error *error);

/* The joinpoints of a member by what they do with it, and under them the totals. */
int wv_points_by_accessor(struct wv_db *db, const struct wv_matches *matches,
			  struct wv_points_style *style, struct wv_str *out,
			  struct wv_error *error);

#endif /* WV_POINTS_REPORT_H */
