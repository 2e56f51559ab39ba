/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starts that wait for their end, as text and JSON: what is held, or under way, or leaked. */
#ifndef WV_OPEN_STARTS_H
#define WV_OPEN_STARTS_H

#include "base/json-writer.h"
#include "base/str.h"
#include "live/read-metrics.h"

/* Adds a table of at most @most of them, the oldest first; 0: of all. Nothing if there are none. */
void wv_open_pairs_text(const struct wv_metric_reading *reading, size_t most, struct wv_str *out);

/* Adds an array of all of them. */
void wv_open_pairs_json(const struct wv_metric_reading *reading, struct wv_json *json);

#endif /* WV_OPEN_STARTS_H */
