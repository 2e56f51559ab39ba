/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Metrics as text for a terminal, and as JSON. */
#ifndef WV_METRICS_REPORT_H
#define WV_METRICS_REPORT_H

#include "base/str.h"
#include "live/read-metrics.h"

/* Tables, bars, and what could not be counted. */
void wv_metrics_text(const struct wv_readings *readings, struct wv_str *out);

/* A line for each metric that misses hits because some of its shadows were refused. */
void wv_unseen_lines(const struct wv_readings *readings, struct wv_str *out);

/*
 * Adds how many hits' per-task data could not be stored, and how many found too little stack;
 * nothing if none.
 */
void wv_dropped_text(const struct weft_status *status, struct wv_str *out);

/* Adds a line if shadows of the aspect's accesses are not exact (module/precision-text.h). */
void wv_inexact_text(const struct weft_status *status, struct wv_str *out);

/* One JSON object on a line for each metric; docs/aspect-language.md lists its keys. */
void wv_metrics_json(const struct weft_status *status, const struct wv_readings *readings,
		     struct wv_str *out);

#endif /* WV_METRICS_REPORT_H */
