/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a row's last intervals as one line of bars. */
#ifndef WV_SPARKLINE_H
#define WV_SPARKLINE_H

#include "report/samples.h"

enum { WV_SPARKS = 20 }; /* maximum number of intervals that are shown */

/* Returns whether the environment's locale uses UTF-8. If not, bars have to be ASCII. */
bool wv_terminal_is_utf8(void);

/*
 * Adds a bar for each of the last WV_SPARKS intervals of the key @key in the metric with the index
 * @index. The highest bar is as high as the line. Then adds the rate in the last interval, per
 * second: "▂█ 764/s". Adds nothing if the samples do not have the key.
 */
void wv_sparkline(const struct wv_samples *samples, size_t index, const char *key, bool utf8,
		  struct wv_str *out);

#endif /* WV_SPARKLINE_H */
