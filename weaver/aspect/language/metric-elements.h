/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Metrics of an aspect: <counter>, <sum>, <histogram>, <elapsed>, <concurrency>. Each is one advice, or two where it measures
 * between two points, whose bodies are made here from the expressions in its attributes. So everything that is true
 * of advice (pointcuts, variables, shadows that lack one) is true of metrics.
 */
#ifndef WV_METRIC_ELEMENTS_H
#define WV_METRIC_ELEMENTS_H

#include "runtime/abi.h"
#include "aspect/language/load-internal.h"
#include "base/str.h"

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

/* Whether <@element> is a metric. */
bool wv_is_metric(const char *element);

/* A counter without key is one number on each CPU, and nothing else is kept of it. */
bool wv_metric_is_plain(const struct wv_metric *metric);

/* Adds the metric @node with its advices to the aspect. */
void wv_load_metric(struct wv_loader *loader, const struct wv_xml_node *node);

/*
 * Hands each of the metric's advices, of which the first is @advice, to @bind with the attribute that names its pointcut. Returns
 * how many there are.
 */
size_t wv_metric_bind(struct wv_loader *loader, const struct wv_xml_node *node,
		      struct wv_aspect_advice *advice,
		      void (*bind)(struct wv_loader *loader, const struct wv_xml_node *node,
				   struct wv_aspect_advice *advice, const char *attribute));

/* The @index'th of the expressions that the metric's @advice evaluates; NULL: there are no more. */
const struct wv_aspect_code *wv_metric_code(const struct wv_aspect_advice *advice, size_t index);

void wv_metric_destroy(struct wv_metric *metric);

/* ---- as C (write-metrics.c) ------------------------------------------------------------------ */

/* Whether the trampoline counts by itself, so that there is no function. */
bool wv_metric_is_inline(const struct wv_metric *metric);

/* Whether it is the first of a pair, whose condition says which pairs count. */
bool wv_metric_is_start(const struct wv_aspect_advice *advice);

/* Their storage, before all advice. */
void wv_metrics_write_storage(const struct wv_aspect *aspect, struct wv_str *out);

/* The body of the metric's @advice. @write: writes the code of an expression, as an author's. */
void wv_metric_write_body(const struct wv_aspect_advice *advice,
			  void (*write)(void *context, const struct wv_aspect_code *code), void *context,
			  struct wv_str *out);

/* The table of them, and what registers it. */
void wv_metrics_write_table(const struct wv_aspect *aspect, struct wv_str *out);
void wv_metrics_write_end(const struct wv_aspect *aspect, struct wv_str *out);

/* ---- words ----------------------------------------------------------------------------------- */

/* What `by` and `key` may be instead of C. */
struct wv_metric_word {
	const char *name;
	const char *code;     /* C */
	const char *variable; /* the variable it names, or NULL */
	const char *kind;     /* C of the enum weft_key_kind; NULL: by the type of .code */
	const char *size;     /* C: bytes of text at .code; NULL: no text */
};

extern const struct wv_metric_word wv_by_words[], wv_key_words[]; /* end with .name == NULL */

#endif /* WV_METRIC_ELEMENTS_H */
