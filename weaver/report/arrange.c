// SPDX-License-Identifier: GPL-2.0-or-later
/* Sorts rows; see arrange.h. */
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "report/arrange.h"
#include "report/figures.h"

struct order {
	const struct wv_metric_reading *reading;
	unsigned int column;
};

static int by_key(const void *a, const void *b)
{
	int order = 0;

	for (size_t key = 0; !order && key < WEFT_KEYS_MAX; key++)
		order = strcmp(wv_row_text(a, key), wv_row_text(b, key));
	return order;
}

/*
 * Orders two values of a column. Of some values it is only known that they lie in an open-ended
 * bucket (.beyond). Those in the lowest bucket are less than all other values, and those in the
 * highest bucket are greater.
 */
static int order_values(const struct wv_column *a, const struct wv_column *b)
{
	if (a->beyond != b->beyond)
		return a->beyond < b->beyond ? -1 : 1;
	return (a->value > b->value) - (a->value < b->value);
}

static void get_column(const struct order *order, const struct wv_metric_row *row,
		       struct wv_column *ret)
{
	struct wv_column columns[WV_COLUMNS_MAX];
	struct wv_figures figures;

	wv_figures_get(order->reading, row, &figures);
	wv_metric_columns(&order->reading->info, &figures, columns);
	*ret = columns[order->column];
}

static int by_column(const void *a, const void *b, void *order)
{
	struct wv_column left, right;
	int greater;

	get_column(order, a, &left);
	get_column(order, b, &right);
	greater = order_values(&right, &left);
	return greater ? greater : by_key(a, b);
}

/* Returns the index of the column whose head is @head; -1 if the metric has no such column. */
static int find_column(const struct weft_metric_info *info, const char *head)
{
	static const struct wv_figures none;
	struct wv_column columns[WV_COLUMNS_MAX];
	unsigned int n = wv_metric_columns(info, &none, columns);

	for (unsigned int i = 0; i < n; i++)
		if (!strcmp(columns[i].head, head))
			return (int)i;
	return -1;
}

bool wv_readings_sort(struct wv_readings *readings, const char *column)
{
	const bool key = !strcmp(column, "key");
	bool found = !readings->list.n;

	wv_vec_for_each(reading, &readings->list) {
		int at = key ? 0 : find_column(&reading->info, column);
		struct order order = { reading, (unsigned int)at };

		if (at < 0)
			continue;
		found = true;
		if (key && reading->rows.n)
			qsort(reading->rows.data, reading->rows.n, sizeof(*reading->rows.data),
			      by_key);
		else if (reading->rows.n)
			qsort_r(reading->rows.data, reading->rows.n, sizeof(*reading->rows.data),
				by_column, &order);
	}
	return found;
}
