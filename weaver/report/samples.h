/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps metrics over time. The kernel has only totals. So weft reads the totals once per interval,
 * and keeps the differences between readings. There are at most WV_INTERVALS_MAX intervals. When
 * all are in use, every two neighbours are merged, and an interval becomes twice as long.
 */
#ifndef WV_SAMPLES_H
#define WV_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/str.h"
#include "base/vec.h"
#include "live/read-metrics.h"

enum { WV_INTERVALS_MAX = 240 };
#define WV_INTERVAL_NS 250000000ull /* usual length of the first intervals */

/* A key of a metric, and by how much its row has increased in each interval. */
struct wv_series {
	char *key; /* the text of the row's key (wv_row_key()) */
	int64_t last; /* the row's sum or count (as .sums says) at the last reading */
	uint64_t count; /* the row's count at the last reading */
	int64_t *gained; /* WV_INTERVALS_MAX increases */
};

struct wv_sampled_metric {
	bool sums; /* the series are of the rows' sums; else of their counts */
	WV_VEC(struct wv_series) keys;
	struct wv_hash by_key; /* finds elements of .keys by .key */
	/*
	 * Only for a histogram, which is here that of all keys together; else 0 and NULL.
	 * .nr_buckets: number of its buckets.
	 * .last: greatest count of each bucket at a reading so far.
	 * .heat: WV_INTERVALS_MAX numbers for each bucket: by how much its count has increased in
	 * each interval.
	 */
	size_t nr_buckets;
	uint64_t *last;
	/*
	 * nanoseconds that the metric has counted for at the last reading; if they are fewer at the
	 * next one, the metric was reset
	 */
	uint64_t woven;
	uint32_t *heat;
};

struct wv_samples {
	/* time of the first interval's beginning, in nanoseconds of CLOCK_MONOTONIC */
	uint64_t begin;
	uint64_t interval; /* length of an interval in nanoseconds */
	uint64_t read;	   /* time of the last reading, in nanoseconds of CLOCK_MONOTONIC */
	uint64_t due; /* time at which the next reading is due, in nanoseconds of CLOCK_MONOTONIC */
	size_t n;	   /* number of intervals that have begun */
	WV_VEC(struct wv_sampled_metric) metrics; /* in the order of the readings */
};

/*
 * Makes @samples empty. The first interval begins at @now, in nanoseconds of CLOCK_MONOTONIC.
 * Intervals have @interval nanoseconds at first.
 */
void wv_samples_begin(struct wv_samples *samples, uint64_t now, uint64_t interval);
void wv_samples_deinit(struct wv_samples *samples);

/*
 * Forgets all intervals. The first interval then begins at @now. Keeps the totals of the last
 * reading, from which the next increases are computed.
 */
void wv_samples_restart(struct wv_samples *samples, uint64_t now);

/* Returns whether an interval has ended since the metrics were read last. */
bool wv_samples_are_due(const struct wv_samples *samples, uint64_t now);

/*
 * Adds the increases of the metrics since the last reading to the interval to which they belong.
 * @readings are the metrics at the time @now.
 */
int wv_samples_add(struct wv_samples *samples, const struct wv_readings *readings, uint64_t now,
		   struct wv_error *error);

/*
 * Adds a line of JSON for each metric that has had rows; docs/aspect-language.md lists its keys.
 * @readings are those of the last wv_samples_add().
 */
void wv_samples_json(const struct wv_samples *samples, const struct wv_readings *readings,
		     struct wv_str *out);

#endif /* WV_SAMPLES_H */
