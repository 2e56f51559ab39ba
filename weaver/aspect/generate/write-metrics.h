/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Generates the C of metrics. */
#ifndef WV_WRITE_METRICS_H
#define WV_WRITE_METRICS_H

#include "aspect/language/aspect-model.h"
#include "base/str.h"

/* Whether the trampoline itself counts, so that no function is generated. */
bool wv_metric_is_inline(const struct wv_metric *metric);

/* Writes the storage of all metrics; it comes before all advice. */
void wv_metrics_write_storage(const struct wv_aspect *aspect, struct wv_str *out);

/* Writes a piece of the author's C with the lines and columns of the XML. */
typedef void (*wv_write_code)(void *context, const struct wv_aspect_code *code);

/* Writes the body of @advice, which belongs to a metric; @write writes its expressions. */
void wv_metric_write_body(const struct wv_aspect_advice *advice, wv_write_code write, void *context,
			  struct wv_str *out);

/* Writes the table of metrics and the code that registers it. */
void wv_metrics_write_table(const struct wv_aspect *aspect, struct wv_str *out);
void wv_metrics_write_end(const struct wv_aspect *aspect, struct wv_str *out);

#endif /* WV_WRITE_METRICS_H */
