/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports where advice that runs once has run, and where it has not, as text for a terminal and as
 * JSON. The report is empty if the aspect has no such advice.
 */
#ifndef WV_ONCE_REPORT_H
#define WV_ONCE_REPORT_H

#include "base/str.h"
#include "live/once-states.h"

void wv_once_text(const struct wv_once *once, struct wv_str *out);

/* Adds a line with a JSON object; docs/aspect-language.md lists the object's keys. */
void wv_once_json(const char *aspect, const struct wv_once *once, struct wv_str *out);

#endif /* WV_ONCE_REPORT_H */
