/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Metrics of woven aspects as OpenMetrics text, which Prometheus and other monitors read. Follows
 * version 1.0 of the OpenMetrics specification. docs/monitoring.md says which family a metric
 * becomes.
 */
#ifndef WV_OPENMETRICS_H
#define WV_OPENMETRICS_H

#include "base/str.h"
#include "live/read-metrics.h"

/* An aspect that the kernel knows. Owned by whoever filled it in. */
struct wv_exposed_aspect {
	struct weft_status status;
	struct wv_readings readings; /* empty if the aspect has no metrics */
};

/*
 * Adds an exposition: all families, and the line that ends it. Rows whose key is not known, and
 * values that are not valid UTF-8, are kept in a readable form.
 */
void wv_openmetrics(const struct wv_exposed_aspect *aspects, size_t n, struct wv_str *out);

#endif /* WV_OPENMETRICS_H */
