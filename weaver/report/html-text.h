/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pieces of HTML: text that is escaped, cells, a metric's table. */
#ifndef WV_HTML_TEXT_H
#define WV_HTML_TEXT_H

#include "base/str.h"
#include "live/read-metrics.h"

/* Adds @text so that it is text, wherever it stands, and nothing but text. */
void wv_html_add(struct wv_str *out, const char *text);

/* Adds <td>@text</td>. */
void wv_html_cell(struct wv_str *out, const char *text);

/* Adds lines of JSON as the content of a script element, which they cannot end. */
void wv_html_add_data(struct wv_str *out, const struct wv_str *lines);

/*
 * Adds a table of a metric's rows, each with its share, and their total. A cell with a unit has its
 * number in data-v, for sorting.
 */
void wv_html_metric_table(const struct wv_metric_reading *reading, struct wv_str *out);

#endif /* WV_HTML_TEXT_H */
