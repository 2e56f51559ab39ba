/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What has run once and what has not, as a terminal shows it, and as JSON: nothing where all advice
 * runs each time.
 */
#ifndef WV_ONCE_REPORT_H
#define WV_ONCE_REPORT_H

#include "base/str.h"
#include "live/once-states.h"

void wv_once_text(const struct wv_once *once, struct wv_str *out);

/* One object on a line: docs/aspect-language.md has its keys. */
void wv_once_json(const char *aspect, const struct wv_once *once, struct wv_str *out);

#endif /* WV_ONCE_REPORT_H */
