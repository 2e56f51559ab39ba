/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports open pairs as text and as JSON. An open pair, a start that waits for its end, shows what
 * is held, under way or leaked.
 */
#ifndef WV_OPEN_STARTS_H
#define WV_OPEN_STARTS_H

#include "base/json-writer.h"
#include "base/str.h"
#include "live/read-metrics.h"

/*
 * Adds a table of at most @most open pairs, the oldest first; if @most is 0, of all open pairs.
 * Adds nothing if there are none.
 */
void wv_open_pairs_text(const struct wv_metric_reading *reading, size_t most, struct wv_str *out);

/* Adds an array of all open pairs. */
void wv_open_pairs_json(const struct wv_metric_reading *reading, struct wv_json *json);

#endif /* WV_OPEN_STARTS_H */
