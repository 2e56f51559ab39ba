/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Metrics of an aspect: <counter>, <sum>, <histogram>, <elapsed>, <concurrency>. weft generates a
 * metric's advice from the expressions in the element's attributes: one advice or, if the metric
 * measures between two points, two. So whatever holds for advice holds for metrics: they have
 * pointcuts, may name variables, and cannot run at a shadow that lacks one of these variables.
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
	const char *code;     /* the C that the word means */
	const char *variable; /* the variable of advice that .code uses; NULL: none */
	/* C for a value of enum weft_key_kind; NULL: the type of .code decides */
	const char *kind;
	/* if .code is a text: C for its size in bytes; NULL: .code is a number */
	const char *size;
	/* number of 64-bit words that the value takes in a row; 0: it is a number (one word) */
	uint32_t words;
	bool stack;	/* true: the word means the stack, and .code is not used */
	bool time;	/* true: the value is in nanoseconds */
};

/*
 * Lists of the words for `by` and for `key`. Each ends with a word whose .name is NULL. WV_KEY_*:
 * indices in wv_key_words.
 */
extern const struct wv_metric_word wv_by_words[], wv_key_words[];
enum { WV_KEY_TASK, WV_KEY_CPU };
/* Returns the word @name of @words; NULL if there is none, or if @words is NULL. */
const struct wv_metric_word *wv_metric_find_word(const struct wv_metric_word *words,
						 const char *name);

/*
 * An attribute that has C, or a word that means C. If the attribute is absent, .text and .word are
 * NULL.
 */
struct wv_metric_expression {
	struct wv_aspect_code code;
	const struct wv_metric_word *word; /* the word; NULL: the attribute is C, in .code */
	char *text; /* the attribute as written; NULL: absent */
};

/* One of the values of which the key of a row consists. */
struct wv_metric_by_key {
	char *name; /* the value as the author wrote it */
	struct wv_metric_expression expression;
	/* step of bucket(): the value is rounded down to a multiple of this step; 0: no bucket() */
	uint64_t step;
	bool time;     /* true: the value is in nanoseconds */
};

/* The attribute `by`. If it is absent, .text is NULL and .n is 0. */
struct wv_metric_by {
	char *text; /* the attribute as the author wrote it */
	struct wv_metric_by_key key[WEFT_KEYS_MAX];
	size_t n;
};

struct wv_metric {
	struct wv_text_location location;
	enum weft_metric_type type;
	size_t index; /* index in the aspect's metrics */
	/* .unit is "" if the metric has none */
	char *name, *unit;
	struct wv_metric_expression value, condition, key, to_key, to_condition;
	struct wv_metric_by by;
	enum weft_metric_scale scale;
	enum weft_metric_clock clock;
	uint32_t fine, buckets;
	int64_t least;
	uint64_t step;
	/*
	 * true: measures from before to after the joinpoints of one pointcut (`of`); false: between
	 * two pointcuts
	 */
	bool whole;
	bool of_task; /* true: a measurement starts and ends in the same task */
	/*
	 * true: the guard of the start has terms that may change until the end. The start also runs
	 * if these do not hold; its variable weft_active says whether they hold (guard.h).
	 */
	bool guarded;
	bool once; /* true: counts at most one hit of each joinpoint */
	/*
	 * true: pairs do not nest: a start replaces the start with the same key that has no end yet
	 */
	bool replaces;
	/*
	 * WV_VARIABLE_BIT()s of the variables that the text of an <elapsed> names; variables in its
	 * attributes do not count
	 */
	uint64_t body_variables;
	/*
	 * .row_bits: binary logarithm of the number of rows of the table of rows. .pair_bits: the
	 * same of the number of buckets, of WR_PAIR_WAYS pairs each, of the table of pairs
	 * (runtime/measure.h). 0: the metric has no such table.
	 */
	uint32_t row_bits, pair_bits;
};

/* Returns whether the metric is a counter without `by`: one number per CPU, without a table. */
bool wv_metric_is_plain(const struct wv_metric *metric);

/*
 * Returns whether the metric measures between two points (elapsed, concurrency). Then each point
 * has its own advice.
 */
bool wv_metric_is_pair(const struct wv_metric *metric);

/*
 * Returns expression number @index (from 0) of those that an advice of the metric evaluates: the
 * advice that ends a measurement if @ends, else the other one. NULL: there are no more.
 */
const struct wv_aspect_code *wv_metric_code(const struct wv_metric *metric, bool ends,
					    size_t index);

/*
 * Returns in how many 64-bit words a row stores value @index of its metric's key. 0: the key has
 * only this value, and it is a number: rows are found by this number itself.
 */
uint32_t wv_metric_key_words(const struct wv_metric *metric, size_t index);

void wv_metric_destroy(struct wv_metric *metric);

#endif /* WV_METRIC_ELEMENTS_H */
