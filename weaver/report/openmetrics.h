/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes metrics of woven aspects as OpenMetrics text, which Prometheus and other monitors read.
 * The text follows version 1.0 of the OpenMetrics specification. docs/monitoring.md says which
 * family a metric becomes.
 */
#ifndef WV_OPENMETRICS_H
#define WV_OPENMETRICS_H

#include <stdbool.h>

#include "base/str.h"
#include "live/read-metrics.h"

/* An aspect. The caller of wv_openmetrics() sets the members, and frees .readings. */
struct wv_exposed_aspect {
	bool absent; /* weft.ko does not know the aspect: of .status only .name is set */
	struct weft_status status;
	struct wv_readings readings; /* empty if the aspect has no metrics */
};

/*
 * Adds the metrics of the @n @aspects to @out: all families, and the line "# EOF" that OpenMetrics
 * wants at the end. Replaces bytes that are not valid UTF-8 by U+FFFD. The values of keys that
 * found no free row in a metric's table are added up in one row, whose labels have the value
 * "(others)".
 */
void wv_openmetrics(const struct wv_exposed_aspect *aspects, size_t n, struct wv_str *out);

#endif /* WV_OPENMETRICS_H */
