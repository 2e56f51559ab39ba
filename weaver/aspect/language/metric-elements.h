/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Metrics of an aspect: <counter>, <sum>, <histogram>, <elapsed>, <concurrency>. A metric is
 * carried out by one advice, or by two if it measures between two points. The C of this advice is
 * generated from the expressions in the element's attributes. So what holds for advice (pointcuts,
 * variables, shadows that lack a variable) holds for metrics.
 */
#ifndef WV_METRIC_ELEMENTS_H
#define WV_METRIC_ELEMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/abi.h"
#include "aspect/language/code.h"

/* A word that the attributes `by` and `key` accept in place of C. */
struct wv_metric_word {
	const char *name;
	const char *code;     /* the C that it stands for */
	const char *variable; /* the variable of advice that .code names; NULL: none */
	/* C: a value of enum weft_key_kind; NULL: it follows from the type of .code */
	const char *kind;
	/* C: size in bytes of the text that .code points to; NULL: .code is a number */
	const char *size;
	uint32_t words; /* what the value takes in a row, in 64-bit words; 0: a number's, 1 */
	bool stack;	/* it is the stack, and has no .code */
	bool time;	/* it is nanoseconds */
};

/* each list ends with .name == NULL */
extern const struct wv_metric_word wv_by_words[], wv_key_words[];
/* NULL: @words is NULL, or has no @name. */
const struct wv_metric_word *wv_metric_find_word(const struct wv_metric_word *words,
						 const char *name);

/* An attribute that holds C, or a word that stands for C. Absent: .text and .word are NULL. */
struct wv_metric_expression {
	struct wv_aspect_code code;
	const struct wv_metric_word *word; /* the word that stands for C; NULL: .code has the C */
	char *text; /* the attribute as written; NULL: absent */
};

/* One of the values that the key of a row is made of. */
struct wv_metric_by_key {
	char *name; /* as written */
	struct wv_metric_expression expression;
	uint64_t step; /* of bucket(): the value is rounded down to a multiple of this; 0: not */
	bool time;     /* it is nanoseconds */
};

/* The attribute `by`. Absent: .text is NULL and .n 0. */
struct wv_metric_by {
	char *text; /* as written */
	struct wv_metric_by_key key[WEFT_KEYS_MAX];
	size_t n;
};

struct wv_metric {
	struct wv_text_location location;
	enum weft_metric_type type;
	size_t index; /* index into the aspect's metrics */
	char *name, *unit; /* .unit is "" if there is none */
	struct wv_metric_expression value, condition, key, to_key, to_condition;
	struct wv_metric_by by;
	enum weft_metric_scale scale;
	enum weft_metric_clock clock;
	uint32_t fine, buckets;
	int64_t least;
	uint64_t step;
	/*
	 * measures from before to after one pointcut's joinpoints (`of`), not between two pointcuts
	 */
	bool whole;
	bool of_task; /* a measurement starts and ends in the same task */
	/* the start may run although its guard does not hold; weft_active is whether it holds */
	bool guarded;
	bool once; /* counts at most one hit of each joinpoint */
	bool replaces; /* pairs do not nest: a start replaces that of its key which waits */
	/* WV_VARIABLE_BIT()s that the C of an <elapsed> names, not counting its attributes */
	uint64_t body_variables;
	/* sizes of the tables, as in runtime/measure.h; 0: no such table */
	uint32_t row_bits, pair_bits;
};

/* Is the metric a counter without `by`? It is one number per CPU and needs no table. */
bool wv_metric_is_plain(const struct wv_metric *metric);

/*
 * Does the metric measure between two points (elapsed, concurrency)? Each point has its own advice.
 */
bool wv_metric_is_pair(const struct wv_metric *metric);

/*
 * The expression number @index, from 0, of those that an advice of the metric evaluates: the advice
 * that ends a measurement if @ends, else the other one. NULL: there are no more.
 */
const struct wv_aspect_code *wv_metric_code(const struct wv_metric *metric, bool ends,
					    size_t index);

/* The 64-bit words that value @index of a key takes in a row; 0: it is the key itself. */
uint32_t wv_metric_key_words(const struct wv_metric *metric, size_t index);

void wv_metric_destroy(struct wv_metric *metric);

#endif /* WV_METRIC_ELEMENTS_H */
