/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Metrics as a terminal shows them, and as JSON. */
#ifndef WV_METRICS_REPORT_H
#define WV_METRICS_REPORT_H

#include "base/str.h"
#include "live/read-metrics.h"

/* Tables, bars, what could not be counted. */
void wv_metrics_text(const struct wv_readings *readings, struct wv_str *out);

/*
 * A line for each metric that does not see all that it was asked for, since shadows were refused.
 */
void wv_unseen_lines(const struct wv_readings *readings, struct wv_str *out);

/* What advice could not keep of tasks, or nothing. */
void wv_dropped_text(const struct weft_status *status, struct wv_str *out);

/* One object a line for each metric: docs/aspect-language.md has its keys. */
void wv_metrics_json(const char *aspect, const struct wv_readings *readings, struct wv_str *out);

#endif /* WV_METRICS_REPORT_H */
