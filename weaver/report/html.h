/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Metrics as one self-contained HTML page: tables, plots as inline SVG, the aspect's summary. */
#ifndef WV_HTML_H
#define WV_HTML_H

#include "base/str.h"
#include "live/requests.h"
#include "live/read-metrics.h"
#include "live/once-states.h"

/*
 * Writes the page about an aspect. @shadows is empty if the aspect is not woven now. All names are
 * escaped.
 */
void wv_metrics_html(const struct weft_status *status, const struct wv_spliced *shadows,
		     const struct wv_readings *readings, const struct wv_once *once,
		     struct wv_str *out);

#endif /* WV_HTML_H */
