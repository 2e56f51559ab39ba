/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Metrics as text for a terminal, and as JSON. */
#ifndef WV_METRICS_REPORT_H
#define WV_METRICS_REPORT_H

#include "base/str.h"
#include "live/read-metrics.h"
#include "report/samples.h"

/* How tables are shown; all zero: all of them. */
struct wv_text_view {
	size_t top; /* rows of a table; 0: all */
	const struct wv_samples *samples; /* with each row's last intervals; NULL: without */
	bool utf8; /* these in bars of UTF-8 */
};

/* Adds tables, bars, and remarks about hits that could not be counted. */
void wv_metrics_text(const struct wv_readings *readings, const struct wv_text_view *view,
		     struct wv_str *out);

/* Adds a line for each metric that misses hits because some of its shadows were refused. */
void wv_unseen_lines(const struct wv_readings *readings, struct wv_str *out);

/*
 * Adds for how many hits the per-task data could not be stored, and how many hits found too little
 * stack left; nothing if both numbers are 0.
 */
void wv_dropped_text(const struct weft_status *status, struct wv_str *out);

/* Adds a line if shadows of the aspect's accesses are not exact (module/precision-text.h). */
void wv_inexact_text(const struct weft_status *status, struct wv_str *out);

/* One JSON object on a line for each metric; docs/aspect-language.md lists its keys. */
void wv_metrics_json(const struct weft_status *status, const struct wv_readings *readings,
		     struct wv_str *out);

#endif /* WV_METRICS_REPORT_H */
