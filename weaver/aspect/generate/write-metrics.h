/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Generates the C of metrics. */
#ifndef WV_WRITE_METRICS_H
#define WV_WRITE_METRICS_H

#include "aspect/language/aspect-model.h"
#include "base/str.h"

/* Returns whether the trampoline itself counts for @metric, so that its advice has no function. */
bool wv_metric_is_inline(const struct wv_metric *metric);

/* Writes the variables that hold the metrics' data. To be called before any advice is written. */
void wv_metrics_write_storage(const struct wv_aspect *aspect, struct wv_str *out);

/*
 * A function of the caller that writes a piece of the author's C with the lines and columns of the
 * XML.
 */
typedef void (*wv_write_code)(void *context, const struct wv_aspect_code *code);

/*
 * Writes the body of @advice, which belongs to a metric. @several: the advice has several
 * joinpoints. Calls @write with @context for each of the author's expressions.
 */
void wv_metric_write_body(const struct wv_aspect_advice *advice, bool several, wv_write_code write,
			  void *context, struct wv_str *out);

/*
 * The first writes the table that describes the metrics to weft.ko, the second the members of
 * struct weft_aspect that point weft.ko to this table.
 */
void wv_metrics_write_table(const struct wv_aspect *aspect, struct wv_str *out);
void wv_metrics_write_end(const struct wv_aspect *aspect, struct wv_str *out);

#endif /* WV_WRITE_METRICS_H */
