/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shows metrics and updates them every second. On a terminal, uses the alternate screen, so that
 * the previous contents come back at the end, and cuts the tables to the terminal's size. If
 * standard output is not a terminal, prints all of the tables each time.
 */
#ifndef WV_LIVE_VIEW_H
#define WV_LIVE_VIEW_H

#include "cmds/option-row.h"
#include "report/metrics-report.h"
#include "report/samples.h"

/*
 * The option rows for tables of metrics. @type, the struct of the command's options, must have
 * .sort (a text) and .top (a size_t).
 */
#define WV_VIEW_OPTIONS(type)                                                                      \
	WV_NUMBER(type, top, "top", 0, "N", "of each table the first N rows"),                     \
		WV_TEXT(type, sort, "sort", 0, "COLUMN", WV_COMPLETE_ANY,                          \
			"the rows with the most in this column first: count, mean, p99; or key")

struct wv_live_view {
	bool terminal, shown;
	struct wv_samples samples; /* the metrics over time, for bars below the rows */
	struct wv_text_view text;  /* how wv_metrics_text() shows the metrics */
	struct wv_str last; /* the text that was shown last */
};

/* Begins a view that shows at most @top rows of a table; 0: all rows. */
void wv_live_view_begin(struct wv_live_view *view, size_t top);

/*
 * Returns whether to show the metrics again: a second has passed, or the terminal's size has
 * changed.
 */
bool wv_live_view_is_due(const struct wv_live_view *view);

/*
 * Adds @readings to view->samples. The caller does this before it writes the tables with
 * view->text, because the tables have bars for the last intervals.
 */
int wv_live_view_add(struct wv_live_view *view, const struct wv_readings *readings,
		     struct wv_error *error);

/* Shows @text in place of the text that was shown before. */
int wv_live_view_show(struct wv_live_view *view, const struct wv_str *text,
		      struct wv_error *error);

/*
 * Restores the terminal. If @keep is true, prints the tables that were shown last, so that they
 * stay visible.
 */
void wv_live_view_end(struct wv_live_view *view, bool keep);

#endif /* WV_LIVE_VIEW_H */
