/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of a metric's rows, as a user asks for it. */
#ifndef WV_ARRANGE_H
#define WV_ARRANGE_H

#include <stdbool.h>

#include "live/read-metrics.h"

/*
 * Sorts the rows of all metrics by the column with that head, greatest first, or by "key". A metric
 * without that column stays as it is. False: no metric that has rows has the column.
 */
bool wv_readings_sort(struct wv_readings *readings, const char *column);

#endif /* WV_ARRANGE_H */
