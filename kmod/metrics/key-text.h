/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The keys of a metric's rows as text, for readers. Under wk_mutex. */
#ifndef WK_KEY_TEXT_H
#define WK_KEY_TEXT_H

#include "metrics/metrics.h"

/*
 * Sizes in bytes. WK_KEY_TEXT: one value of a key, or one function of a stack, as text.
 * WK_KEY_TEXT_MAX: the texts of all values of one key.
 */
enum {
	WK_KEY_TEXT = 96,
	WK_KEY_TEXT_MAX = WEFT_KEYS_MAX * (WR_STACK_WORDS * WK_KEY_TEXT + 1),
};

/* The metric whose keys are read, and how to name them. */
struct wk_key_reader {
	const struct wk_metric *metric;
	u64 kinds; /* the kinds of the values of its keys, from wk_metric_kinds() */
	wk_name_key name_key; /* writes the name of a key that is an index; gets @table */
	const void *table;
	char *text; /* working memory of WK_KEY_TEXT_MAX bytes */
};

/*
 * Returns the kinds (enum weft_key_kind) of the values that the metric's keys are made of, 8 bits
 * each, the first value's lowest. Advice stores them when it takes a row. 0: advice has taken no
 * row yet, but may do so at any time.
 */
u64 wk_metric_kinds(const struct wk_metric *metric);

/*
 * Writes the values of which @key, the key of @row, is made to reader->text: each as a text that a
 * NUL follows. Returns the number of bytes. 0: this CPU's row does not have the values, only their
 * hash, which is @key.
 */
size_t wk_key_texts(const struct wk_key_reader *reader, u64 key, const u64 *row);

#endif /* WK_KEY_TEXT_H */
