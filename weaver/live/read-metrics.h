/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The metrics of an aspect as the kernel has them, summed over all CPUs. The kernel also gives
 * their names, types and units, so the aspect's file is not needed to read them.
 */
#ifndef WV_READ_METRICS_H
#define WV_READ_METRICS_H

#include "live/requests.h"

struct wv_metric_row {
	uint64_t key;
	/*
	 * The values that the key is made of, as texts that end with a NUL each. NULL: not known.
	 */
	char *texts;
	uint32_t texts_size;
	/* info.nr_values numbers; enum wr_value in runtime/metric-table.h is their index */
	uint64_t *values;
};

/* An open pair: a start that waits for its end. */
struct wv_open_pair {
	struct weft_open_pair start;
	/* .start.text_size bytes, as the kernel returns them after a struct weft_open_pair */
	char *texts;
};

struct wv_metric_reading {
	struct weft_metric_info info;
	/*
	 * One row for each key with a value, heaviest first. If the metric has no keys, there is at
	 * most one row.
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
 * Reads all metrics of @name; the list is empty if it has none. -WV_E_STATE: the kernel does not
 * know @name.
 */
int wv_readings_get(const struct wv_device *device, const char *name, struct wv_readings *ret,
		    struct wv_error *error);
void wv_readings_deinit(struct wv_readings *readings);
void wv_metric_row_deinit(struct wv_metric_row *row);

/* Reads the open pairs of all metrics of @readings. @name is the aspect whose metrics they are. */
int wv_readings_get_open(const struct wv_device *device, const char *name,
			 struct wv_readings *readings, struct wv_error *error);

/*
 * Resets all of @name's metrics. If the aspect is gone, the kernel discards what it has kept of the
 * aspect's metrics.
 */
int wv_readings_reset(const struct wv_device *device, const char *name, struct wv_error *error);

/*
 * Adds @size bytes of rows, in the device's format, to @reading. -WV_E_FORMAT: @size is not a whole
 * number of rows.
 */
int wv_reading_add(struct wv_metric_reading *reading, const void *buffer, size_t size,
		   struct wv_error *error);
/*
 * wv_key_name() returns what value @index of a metric's keys is, in the words of the aspect's
 * attribute `by`. wv_row_text() returns the same value in the key of one row, as text. Both return
 * "" if there is no such value.
 */
const char *wv_key_name(const struct weft_metric_info *info, size_t index);
const char *wv_row_text(const struct wv_metric_row *row, size_t index);

/*
 * wv_reading_add_open() adds @size bytes of open pairs, in the device's format, to @reading;
 * wv_reading_sort_open() sorts all open pairs by age.
 */
int wv_reading_add_open(struct wv_metric_reading *reading, const void *buffer, size_t size,
			struct wv_error *error);
void wv_reading_sort_open(struct wv_metric_reading *reading);
/*
 * wv_open_where() returns where the pair was started, or "" if that is not known. wv_open_text()
 * returns value @index of the key of the row that counts the pair.
 */
const char *wv_open_where(const struct wv_open_pair *pair);
const char *wv_open_text(const struct wv_open_pair *pair, size_t index);

/* Sorts the rows and merges rows with equal keys. */
void wv_reading_finish(struct wv_metric_reading *reading);

/*
 * wv_row_begin() sets a row's values to those of a row without hits. wv_row_add() adds the values
 * of one row to those of another.
 */
void wv_row_begin(const struct weft_metric_info *info, uint64_t *values);
void wv_row_add(const struct weft_metric_info *info, uint64_t *to, const uint64_t *from);

#endif /* WV_READ_METRICS_H */
