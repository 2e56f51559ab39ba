/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How `weft points` shows what the database answered. */
#ifndef WEFT_CMDS_POINTS_REPORT_H
#define WEFT_CMDS_POINTS_REPORT_H

#include "base/str.h"
#include "joinpoint/db.h"

/* Both add at most @limit matches to @out. @db names the targets of calls. */
int wv_points_json(struct wv_db *db, const struct wv_matches *matches, size_t limit,
		   struct wv_str *out, struct wv_error *error);

/* The table, and under it the totals of all matches. */
int wv_points_text(struct wv_db *db, const struct wv_matches *matches, size_t limit,
		   struct wv_str *out, struct wv_error *error);

#endif /* WEFT_CMDS_POINTS_REPORT_H */
