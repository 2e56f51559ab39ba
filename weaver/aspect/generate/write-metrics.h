/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Metrics as C. */
#ifndef WV_WRITE_METRICS_H
#define WV_WRITE_METRICS_H

#include "aspect/language/aspect-model.h"
#include "base/str.h"

/* Whether the trampoline counts by itself, so that there is no function. */
bool wv_metric_is_inline(const struct wv_metric *metric);

/* Their storage, before all advice. */
void wv_metrics_write_storage(const struct wv_aspect *aspect, struct wv_str *out);

/* Writes a piece of the author's C with the lines and columns of the XML. */
typedef void (*wv_write_code)(void *context, const struct wv_aspect_code *code);

/* The body of @advice, which is a metric's; @write is called for its expressions. */
void wv_metric_write_body(const struct wv_aspect_advice *advice, wv_write_code write, void *context,
			  struct wv_str *out);

/* The table of them, and what registers it. */
void wv_metrics_write_table(const struct wv_aspect *aspect, struct wv_str *out);
void wv_metrics_write_end(const struct wv_aspect *aspect, struct wv_str *out);

#endif /* WV_WRITE_METRICS_H */
