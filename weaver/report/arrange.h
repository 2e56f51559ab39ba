/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorts the rows of metrics by a column that the user chooses. */
#ifndef WV_ARRANGE_H
#define WV_ARRANGE_H

#include <stdbool.h>

#include "live/read-metrics.h"

/*
 * Sorts the rows of each metric by the column whose head is @column, the greatest value first. If
 * @column is "key", sorts them by their keys. The rows of a metric without this column stay in
 * their order. Returns false if there are metrics, and none of them has the column.
 */
bool wv_readings_sort(struct wv_readings *readings, const char *column);

#endif /* WV_ARRANGE_H */
