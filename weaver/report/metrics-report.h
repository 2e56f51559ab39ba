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
	/* if not NULL, each row is followed by a line of bars for its last intervals */
	const struct wv_samples *samples;
	bool utf8; /* draw these bars with block characters in UTF-8, instead of in ASCII */
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
 * data, and with the number of hits that ran no advice, because too little of the stack was left.
 * Adds nothing if both numbers are 0.
 */
void wv_dropped_text(const struct weft_status *status, struct wv_str *out);

/*
 * If some shadows of the aspect's accesses are not exact, adds a line that says how many
 * (module/precision-text.h).
 */
void wv_inexact_text(const struct weft_status *status, struct wv_str *out);

/*
 * Adds a line with a JSON object for each metric; docs/aspect-language.md lists the keys of the
 * objects.
 */
void wv_metrics_json(const struct weft_status *status, const struct wv_readings *readings,
		     struct wv_str *out);

#endif /* WV_METRICS_REPORT_H */
