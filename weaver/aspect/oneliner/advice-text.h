/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the C of one-liners that are not only a metric, as lines of an element's text. */
#ifndef WV_ADVICE_TEXT_H
#define WV_ADVICE_TEXT_H

#include "aspect/oneliner/asked.h"
#include "base/str.h"

/* LOG: writes a record in the user's format. */
void wv_log_body(const struct wv_oneliner *asked, struct wv_str *out);

/* WATCH: writes a record of a write of @structure.@member. */
void wv_watch_body(const struct wv_oneliner *asked, const char *structure, const char *member,
		   struct wv_str *out);

#endif /* WV_ADVICE_TEXT_H */
