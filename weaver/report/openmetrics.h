/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Metrics of woven aspects as OpenMetrics text, which Prometheus and other monitors read. Follows
 * version 1.0 of the OpenMetrics specification. docs/monitoring.md says which family a metric
 * becomes.
 */
#ifndef WV_OPENMETRICS_H
#define WV_OPENMETRICS_H

#include <stdbool.h>

#include "base/str.h"
#include "live/read-metrics.h"

/* An aspect. The caller of wv_openmetrics() fills it in and frees .readings. */
struct wv_exposed_aspect {
	bool absent; /* weft.ko does not know it: of .status only the name is set */
	struct weft_status status;
	struct wv_readings readings; /* empty if the aspect has no metrics */
};

/*
 * Adds the metrics of the @n @aspects to @out: all families, and the line "# EOF" that the format
 * wants at the end. Bytes that are not valid UTF-8 are replaced by U+FFFD. The keys that found no
 * free row in a metric's table are together in one row with the labels "(others)".
 */
void wv_openmetrics(const struct wv_exposed_aspect *aspects, size_t n, struct wv_str *out);

#endif /* WV_OPENMETRICS_H */
