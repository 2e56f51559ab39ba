/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The metrics of an aspect as the kernel has them, summed over all CPUs. The kernel also gives
 * their names, types and units, so the aspect's file is not needed to read them.
 */
#ifndef WV_READ_METRICS_H
#define WV_READ_METRICS_H

#include "live/requests.h"

struct wv_metric_row {
	uint64_t key; /* number of the key; rows of different CPUs with one key are added up */
	/*
	 * The values that the key is made of, as texts that end with a NUL each. NULL: not known.
	 */
	char *texts;
	uint32_t texts_size; /* in bytes */
	/*
	 * Numbers, .info.nr_values of struct wv_metric_reading. Their indices are enum wr_value
	 * (runtime/metric-table.h).
	 */
	uint64_t *values;
};

/* An open pair: a start that waits for its end. */
struct wv_open_pair {
	struct weft_open_pair start;
	/*
	 * .start.text_size bytes of texts that end with a NUL each: where the pair was started, and
	 * the values that its key is made of
	 */
	char *texts;
};

struct wv_metric_reading {
	struct weft_metric_info info;
	/*
	 * One row for each key that has a value other than 0, the largest first. If the metric has
	 * no keys, there is at most one row.
	 */
	WV_VEC(struct wv_metric_row) rows;
	/* sum of the keys that have no row of their own; .values NULL: there are none */
	struct wv_metric_row others;
	WV_VEC(struct wv_open_pair) open; /* oldest first; filled by wv_readings_get_open() */
};

struct wv_readings {
	WV_VEC(struct wv_metric_reading) list; /* in the order of the aspect's metrics */
};

/*
 * Reads all metrics of the aspect @name; ret->list is empty if the aspect has none. Returns
 * -WV_E_STATE if the kernel does not know @name.
 */
int wv_readings_get(const struct wv_device *device, const char *name, struct wv_readings *ret,
		    struct wv_error *error);
void wv_readings_deinit(struct wv_readings *readings);
void wv_metric_row_deinit(struct wv_metric_row *row);

/* Reads the open pairs of all metrics of @readings. @name is the aspect whose metrics they are. */
int wv_readings_get_open(const struct wv_device *device, const char *name,
			 struct wv_readings *readings, struct wv_error *error);

/*
 * Sets all numbers of the metrics of the aspect @name to those of no hits. If the aspect is gone,
 * the kernel discards the metrics that it has kept of the aspect.
 */
int wv_readings_reset(const struct wv_device *device, const char *name, struct wv_error *error);

/*
 * Adds the rows in @buffer, @size bytes as weft.ko has written them, to @reading. Returns
 * -WV_E_FORMAT if the last row is not whole.
 */
int wv_reading_add(struct wv_metric_reading *reading, const void *buffer, size_t size,
		   struct wv_error *error);
/*
 * A key is made of one or more values. wv_key_name() returns what the value with the index @index
 * is, in the word of the aspect's attribute `by`. wv_row_text() returns this value of the row's
 * key, as text. Both return "" if there is no such value.
 */
const char *wv_key_name(const struct weft_metric_info *info, size_t index);
const char *wv_row_text(const struct wv_metric_row *row, size_t index);

/*
 * wv_reading_add_open() adds the open pairs in @buffer, @size bytes as weft.ko has written them, to
 * @reading. wv_reading_sort_open() sorts all open pairs, the oldest first.
 */
int wv_reading_add_open(struct wv_metric_reading *reading, const void *buffer, size_t size,
			struct wv_error *error);
void wv_reading_sort_open(struct wv_metric_reading *reading);
/*
 * wv_open_where() returns where the pair was started, or "" if that is not known. wv_open_text()
 * returns the value with the index @index of the pair's key, as text.
 */
const char *wv_open_where(const struct wv_open_pair *pair);
const char *wv_open_text(const struct wv_open_pair *pair, size_t index);

/*
 * Adds up rows with equal keys, moves rows whose key has no text to .others, removes rows without a
 * value, and sorts the rest.
 */
void wv_reading_finish(struct wv_metric_reading *reading);

/*
 * wv_row_begin() sets a row's values to those of a row without hits. wv_row_add() adds the values
 * of one row to those of another.
 */
void wv_row_begin(const struct weft_metric_info *info, uint64_t *values);
void wv_row_add(const struct weft_metric_info *info, uint64_t *to, const uint64_t *from);

#endif /* WV_READ_METRICS_H */
