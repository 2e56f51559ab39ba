/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The metrics of an aspect as the kernel has them, summed over all CPUs. They carry their names,
 * types and units, so the aspect's file is not needed to read them.
 */
#ifndef WV_READ_METRICS_H
#define WV_READ_METRICS_H

#include "live/requests.h"

struct wv_metric_row {
	uint64_t key;
	/* the values that the key is made of, each with a NUL behind it; NULL: not known */
	char *texts;
	uint32_t texts_size;
	/* info.nr_values numbers; enum wr_value in runtime/metric-table.h is their index */
	uint64_t *values;
};

/* A start that waits for its end. */
struct wv_open_pair {
	struct weft_open_pair start;
	char *texts; /* .start.text_size bytes, as struct weft_open_pair has them behind it */
};

struct wv_metric_reading {
	struct weft_metric_info info;
	/*
	 * one row for each key with a value, heaviest first; at most one row if the metric has no
	 * keys
	 */
	WV_VEC(struct wv_metric_row) rows;
	struct wv_metric_row others; /* of all keys without a row; .values NULL: there are none */
	WV_VEC(struct wv_open_pair) open; /* the oldest first; only after wv_readings_get_open() */
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

/* Reads, of each metric of @readings, which are @name's, the starts that wait for their end. */
int wv_readings_get_open(const struct wv_device *device, const char *name,
			 struct wv_readings *readings, struct wv_error *error);

/*
 * Resets all of @name's metrics. If the aspect is gone, the metrics that the kernel keeps of it are
 * discarded.
 */
int wv_readings_reset(const struct wv_device *device, const char *name, struct wv_error *error);

/*
 * Adds @size bytes of rows, in the device's format, to @reading. -WV_E_FORMAT: @size is not a whole
 * number of rows.
 */
int wv_reading_add(struct wv_metric_reading *reading, const void *buffer, size_t size,
		   struct wv_error *error);
/*
 * The name of value @index of a metric's keys, as in its `by`; the value itself of a row, as text;
 * "" if there is none.
 */
const char *wv_key_name(const struct weft_metric_info *info, size_t index);
const char *wv_row_text(const struct wv_metric_row *row, size_t index);

/* The same for starts that wait: adds them, and sorts all of them. */
int wv_reading_add_open(struct wv_metric_reading *reading, const void *buffer, size_t size,
			struct wv_error *error);
void wv_reading_sort_open(struct wv_metric_reading *reading);
/* Where it started, "" if not known; value @index of the key of the row that it is counted in. */
const char *wv_open_where(const struct wv_open_pair *pair);
const char *wv_open_text(const struct wv_open_pair *pair, size_t index);

/* Sorts the rows and merges rows with equal keys. */
void wv_reading_finish(struct wv_metric_reading *reading);

/* Sets a row's values to what they begin as; adds those of one row to those of another. */
void wv_row_begin(const struct weft_metric_info *info, uint64_t *values);
void wv_row_add(const struct weft_metric_info *info, uint64_t *to, const uint64_t *from);

#endif /* WV_READ_METRICS_H */
