/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the body of the advice of `weft log` and `weft watch`, as lines of C for the text of the
 * aspect's advice element.
 */
#ifndef WV_ADVICE_TEXT_H
#define WV_ADVICE_TEXT_H

#include "aspect/oneliner/asked.h"
#include "base/str.h"

/* Adds the body of `weft log` to @out: C that writes a record in the user's format. */
void wv_log_body(const struct wv_oneliner *asked, struct wv_str *out);

/*
 * Adds the body of `weft watch` to @out: C that writes a record with the old and the new value of
 * @structure.@member, at each write of this member.
 */
void wv_watch_body(const struct wv_oneliner *asked, const char *structure, const char *member,
		   struct wv_str *out);

#endif /* WV_ADVICE_TEXT_H */
