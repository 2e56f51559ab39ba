/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes metrics as text for a terminal, and as JSON. */
#ifndef WV_METRICS_REPORT_H
#define WV_METRICS_REPORT_H

#include "base/str.h"
#include "live/read-metrics.h"
#include "report/samples.h"

/* How wv_metrics_text() shows metrics. All zero: all rows, without intervals. */
struct wv_text_view {
	size_t top; /* maximum number of rows of a table; 0: all */
	/* for a line of bars below each row, which shows its last intervals; NULL: no such line */
	const struct wv_samples *samples;
	bool utf8; /* draw these bars with UTF-8 block characters instead of ASCII */
	bool all_open; /* show all open pairs, not only the oldest */
};

/*
 * Adds the metrics' tables, their histograms as bars, and remarks about hits that were not counted.
 */
void wv_metrics_text(const struct wv_readings *readings, const struct wv_text_view *view,
		     struct wv_str *out);

/* Adds a line for each metric that misses hits because some of its shadows were refused. */
void wv_unseen_lines(const struct wv_readings *readings, struct wv_str *out);

/*
 * Adds a line with the number of hits that were dropped, because there was no room for their task's
 * data, and the number of hits that found too little stack. Adds nothing if both numbers are 0.
 */
void wv_dropped_text(const struct weft_status *status, struct wv_str *out);

/* Adds a line if shadows of the aspect's accesses are not exact (module/precision-text.h). */
void wv_inexact_text(const struct weft_status *status, struct wv_str *out);

/* Adds one JSON object per metric, each on a line; docs/aspect-language.md lists its keys. */
void wv_metrics_json(const struct weft_status *status, const struct wv_readings *readings,
		     struct wv_str *out);

#endif /* WV_METRICS_REPORT_H */
