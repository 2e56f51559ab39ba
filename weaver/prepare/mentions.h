/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which units can have an access of a member, by their source text. C names a member where it is
 * accessed: in the unit itself, or in a macro or inline function that the unit names in turn, from
 * a header that it includes. So, beginning with the member's name, the set of words grows by the
 * name of each macro and static function whose text has a word of the set; chosen are the units
 * with such a word. What a header emits wherever it is included (an initializer, a trace event)
 * counts for every unit that includes it, directly or not.
 *
 * Too many units may be chosen: a word may mean something else. Too few are chosen only where a
 * macro puts a name together out of pieces (##).
 */
#ifndef WV_MENTIONS_H
#define WV_MENTIONS_H

#include "prepare/prepare.h"

/* Chooses the units. -WV_E_NO_MATCH: there are none. */
int wv_units_choose_mentions(struct wv_prepare *prepare, const char *word, struct wv_error *error);

#endif /* WV_MENTIONS_H */
