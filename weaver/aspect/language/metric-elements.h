/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Metrics of an aspect: <counter>, <sum>, <histogram>, <elapsed>, <concurrency>. Each is one
 * advice, or two if it measures between two points. Their C is generated from the expressions in
 * the element's attributes, so everything that holds for advice (pointcuts, variables, shadows that
 * lack a variable) holds for metrics.
 */
#ifndef WV_METRIC_ELEMENTS_H
#define WV_METRIC_ELEMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/abi.h"
#include "aspect/language/code.h"

/* A word that `by` and `key` accept instead of C. */
struct wv_metric_word {
	const char *name;
	const char *code;     /* the C that it stands for */
	const char *variable; /* the variable that .code names, or NULL */
	const char *kind;     /* C of the enum weft_key_kind; NULL: by the type of .code */
	const char *size;     /* C: size in bytes of the text at .code; NULL: not text */
};

extern const struct wv_metric_word wv_by_words[], wv_key_words[]; /* terminated by .name == NULL */

/* An attribute that holds C, or a word that stands for C. */
struct wv_metric_expression {
	struct wv_aspect_code code;
	const struct wv_metric_word *word; /* the word, if it is one */
	char *text; /* as written; NULL: absent */
};

struct wv_metric {
	struct wv_text_location location;
	enum weft_metric_type type;
	size_t index; /* index into the aspect's metrics */
	char *name, *unit; /* .unit is "" if there is none */
	struct wv_metric_expression value, by, condition, key, to_key;
	enum weft_metric_scale scale;
	enum weft_metric_clock clock;
	uint32_t fine, buckets;
	int64_t least;
	uint64_t step;
	bool whole; /* from before one pointcut until after it */
	bool of_task; /* start and end are in the same task */
	bool guarded; /* its start has a condition besides .condition: weft_active */
	bool once; /* counts each joinpoint once */
	uint32_t row_bits, pair_bits; /* as in runtime/measure.h; 0: none */
};

/* A counter without key: one number per CPU, and no other state. */
bool wv_metric_is_plain(const struct wv_metric *metric);

/* Measures between two points, each of which has its own advice. */
bool wv_metric_is_pair(const struct wv_metric *metric);

/*
 * The expression number @index that one of the metric's advice evaluates, the second one if @ends;
 * NULL: there are no more.
 */
const struct wv_aspect_code *wv_metric_code(const struct wv_metric *metric, bool ends,
					    size_t index);

void wv_metric_destroy(struct wv_metric *metric);

#endif /* WV_METRIC_ELEMENTS_H */
