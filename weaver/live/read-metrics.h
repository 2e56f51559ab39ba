/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The metrics of an aspect as the kernel has them, added up over all CPUs. They carry their names,
 * types and units: nobody needs the aspect to read them.
 */
#ifndef WV_READ_METRICS_H
#define WV_READ_METRICS_H

#include "live/requests.h"

struct wv_metric_row {
	uint64_t key;
	char text[sizeof(((struct weft_metric_row *)0)->text)]; /* the key in words */
	uint64_t *values; /* weft_metric_info.nr_values: enum wr_value in runtime/metric-table.h */
};

struct wv_metric_reading {
	struct weft_metric_info info;
	/* one for each key, the heaviest first; one without where there are no keys */
	WV_VEC(struct wv_metric_row) rows;
};

struct wv_readings {
	WV_VEC(struct wv_metric_reading) list; /* in the aspect's order */
};

/*
 * All metrics of @name. -WV_E_STATE: the kernel does not know it. Without metrics the list is
 * empty.
 */
int wv_readings_get(const struct wv_device *device, const char *name, struct wv_readings *ret,
		    struct wv_error *error);
void wv_readings_deinit(struct wv_readings *readings);

/* All of @name's metrics count from now on; what is left of an aspect that is gone is forgotten. */
int wv_readings_reset(const struct wv_device *device, const char *name, struct wv_error *error);

/*
 * Adds @size bytes of rows, as the device gives them, to @reading. -WV_E_FORMAT: they are no whole
 * rows.
 */
int wv_reading_add(struct wv_metric_reading *reading, const void *buffer, size_t size,
		   struct wv_error *error);
/* Orders the rows and makes one of those that have one key. */
void wv_reading_finish(struct wv_metric_reading *reading);

#endif /* WV_READ_METRICS_H */
