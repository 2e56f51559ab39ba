/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorts the rows of metrics by a column that the user chooses. */
#ifndef WV_ARRANGE_H
#define WV_ARRANGE_H

#include <stdbool.h>

#include "live/read-metrics.h"

/*
 * Sorts the rows of each metric: by the column whose head is @column, greatest first, or, if
 * @column is "key", by key. A metric without this column keeps its order. Returns false if there
 * are metrics and none of them has the column.
 */
bool wv_readings_sort(struct wv_readings *readings, const char *column);

#endif /* WV_ARRANGE_H */
