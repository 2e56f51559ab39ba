/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Metrics that are shown again every second, in place: on a terminal of its own (the alternate
 * screen), cut to its size, so that what was there comes back at the end. Where standard output is
 * no terminal, each time all of them is printed.
 */
#ifndef WV_LIVE_VIEW_H
#define WV_LIVE_VIEW_H

#include "cmds/option-row.h"
#include "report/metrics-report.h"
#include "report/samples.h"

/* The option rows that say how tables are shown. @type has .sort (text) and .top (size_t). */
#define WV_VIEW_OPTIONS(type)                                                                      \
	WV_NUMBER(type, top, "top", 0, "N", "of each table the first N rows"),                     \
		WV_TEXT(type, sort, "sort", 0, "COLUMN", WV_COMPLETE_ANY,                          \
			"the rows with the most in this column first: count, mean, p99; or key")

struct wv_live_view {
	bool terminal, shown;
	struct wv_samples samples;
	struct wv_text_view text;
	struct wv_str last; /* what was shown last */
};

/* @top: rows of a table; 0: all. */
void wv_live_view_begin(struct wv_live_view *view, size_t top);

/* Whether a second has passed, or the terminal has another size. */
bool wv_live_view_is_due(const struct wv_live_view *view);

/* Notes what @readings have gained, before their text is made with view->text. */
int wv_live_view_add(struct wv_live_view *view, const struct wv_readings *readings,
		     struct wv_error *error);

/* Shows @text. */
int wv_live_view_show(struct wv_live_view *view, const struct wv_str *text,
		      struct wv_error *error);

/* Gives the terminal back. With @keep what was shown last stays there. */
void wv_live_view_end(struct wv_live_view *view, bool keep);

#endif /* WV_LIVE_VIEW_H */
