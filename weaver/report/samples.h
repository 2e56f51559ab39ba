/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Metrics over time. The kernel has only totals. So the totals are read once per interval, and the
 * differences between readings are kept. There are at most WV_INTERVALS_MAX intervals. When they
 * are used up, each two neighbours are merged, and the interval becomes twice as long.
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

/* One key of a metric: by how much its row has increased in each interval. */
struct wv_series {
	char *key;
	int64_t last; /* its total when it was read last */
	uint64_t count; /* its count then */
	int64_t *gained; /* WV_INTERVALS_MAX numbers */
};

struct wv_sampled_metric {
	bool sums; /* of the row's sums; else of its counts */
	WV_VEC(struct wv_series) keys;
	struct wv_hash by_key;
	/*
	 * Only for a histogram, over all keys: .last has the count of each bucket at the last
	 * reading; .heat has, for each bucket, WV_INTERVALS_MAX numbers: by how much its count has
	 * increased in each interval.
	 */
	size_t nr_buckets;
	uint64_t *last;
	uint64_t woven; /* how long it had been woven then: less later means that it was reset */
	uint32_t *heat;
};

struct wv_samples {
	uint64_t begin;	   /* nanoseconds of CLOCK_MONOTONIC */
	uint64_t interval; /* nanoseconds */
	uint64_t read;	   /* when the metrics were read last */
	uint64_t due;	   /* when they are to be read again */
	size_t n;	   /* intervals that have begun */
	WV_VEC(struct wv_sampled_metric) metrics; /* in the order of the readings */
};

/* Begins at @now, with nothing; intervals have @interval nanoseconds at first. */
void wv_samples_begin(struct wv_samples *samples, uint64_t now, uint64_t interval);
void wv_samples_deinit(struct wv_samples *samples);

/*
 * Starts again at @now, with no intervals: earlier increases are forgotten, the last totals are
 * kept.
 */
void wv_samples_restart(struct wv_samples *samples, uint64_t now);

/* Whether an interval is over since the metrics were read last. */
bool wv_samples_are_due(const struct wv_samples *samples, uint64_t now);

/*
 * Adds to an interval by how much the metrics have increased since the last reading. @readings were
 * read at @now.
 */
int wv_samples_add(struct wv_samples *samples, const struct wv_readings *readings, uint64_t now,
		   struct wv_error *error);

/*
 * Adds a line of JSON for each metric that has gained something; docs/aspect-language.md lists its
 * keys. The readings are those that were added last.
 */
void wv_samples_json(const struct wv_samples *samples, const struct wv_readings *readings,
		     struct wv_str *out);

#endif /* WV_SAMPLES_H */
