/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes pieces of HTML: escaped text, cells, a metric's table. */
#ifndef WV_HTML_TEXT_H
#define WV_HTML_TEXT_H

#include "base/str.h"
#include "live/read-metrics.h"

/*
 * Adds @text. Escapes the characters that have a meaning in HTML, so that the result can be the
 * text of an element or a part of an attribute's value. Drops control characters other than tab and
 * newline.
 */
void wv_html_add(struct wv_str *out, const char *text);

/* Adds <td>@text</td>. */
void wv_html_cell(struct wv_str *out, const char *text);

/* Adds @lines, lines of JSON, escaped so that they can be the content of a script element. */
void wv_html_add_data(struct wv_str *out, const struct wv_str *lines);

/*
 * Adds a table of a metric's rows and of their total. Each row has its share of the total. A cell
 * with a unit also has its plain number, as the attribute data-v, for sorting.
 */
void wv_html_metric_table(const struct wv_metric_reading *reading, struct wv_str *out);

#endif /* WV_HTML_TEXT_H */
