/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Metrics of an aspect: <counter>, <sum>, <histogram>, <elapsed>, <concurrency>. Each is one
 * advice, or two where it measures between two points. Their C is generated from the expressions
 * in the element's attributes. So everything that holds for advice (pointcuts, variables, shadows
 * that lack one) holds for metrics.
 */
#ifndef WV_METRIC_ELEMENTS_H
#define WV_METRIC_ELEMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/abi.h"
#include "aspect/language/code.h"

/* What `by` and `key` may be instead of C. */
struct wv_metric_word {
	const char *name;
	const char *code;     /* C */
	const char *variable; /* the variable it names, or NULL */
	const char *kind;     /* C of the enum weft_key_kind; NULL: by the type of .code */
	const char *size;     /* C: bytes of text at .code; NULL: no text */
};

extern const struct wv_metric_word wv_by_words[], wv_key_words[]; /* end with .name == NULL */

/* An attribute that holds C, or one of the words that stand for some. */
struct wv_metric_expression {
	struct wv_aspect_code code;
	const struct wv_metric_word *word; /* instead */
	char *text; /* as it was written; NULL: not there */
};

struct wv_metric {
	struct wv_text_location location;
	enum weft_metric_type type;
	size_t index; /* in the aspect's metrics */
	char *name, *unit; /* "" where there is no unit */
	struct wv_metric_expression value, by, condition, key, to_key;
	enum weft_metric_scale scale;
	enum weft_metric_clock clock;
	uint32_t fine, buckets;
	int64_t least;
	uint64_t step;
	bool whole; /* from before one pointcut until after it */
	bool of_task; /* start and end are of one task */
	bool guarded; /* its start has a condition beside .condition: weft_active */
	bool once; /* each joinpoint is counted once */
	uint32_t row_bits, pair_bits; /* of runtime/measure.h; 0: without */
};

/* A counter without key is one number on each CPU, and nothing else is kept of it. */
bool wv_metric_is_plain(const struct wv_metric *metric);

/* Measures between two points, each of which is an advice of its own. */
bool wv_metric_is_pair(const struct wv_metric *metric);

/*
 * The @index'th of the expressions that one of the metric's advices evaluates, the second where
 * @ends; NULL: there are no more.
 */
const struct wv_aspect_code *wv_metric_code(const struct wv_metric *metric, bool ends,
					    size_t index);

void wv_metric_destroy(struct wv_metric *metric);

#endif /* WV_METRIC_ELEMENTS_H */
