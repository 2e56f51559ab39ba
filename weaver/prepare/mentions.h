/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds which units may have an access of a member, by their source text. In C, an access contains
 * the name of the member. The text of the access may be in the unit itself, or in a macro or inline
 * function of a header, which the unit uses by name. So a unit *mentions*:
 * - each word of its own text
 * - each word of a macro or static function in a header, if the unit mentions the name of this
 *   macro or function
 * - each word of code that a header emits wherever it is included (an initializer, a trace event),
 *   if the unit includes the header, directly or not
 *
 * This may find too many units, because a word may have another meaning. It misses an access only
 * if a macro composes the member's name of pieces (##).
 */
#ifndef WV_MENTIONS_H
#define WV_MENTIONS_H

#include "index/mention-counts.h"
#include "prepare/prepare.h"

/* The words of a source's headers, from which the words that a unit mentions are found. */
struct wv_mentions;

/*
 * Reads the headers of @prepare's source and sets *@ret, unless that is set already. @prepare and
 * its units must stay unchanged until wv_mentions_destroy().
 */
int wv_mentions_read(const struct wv_prepare *prepare, struct wv_mentions **ret,
		     struct wv_error *error);
void wv_mentions_destroy(struct wv_mentions *mentions);

static inline void wv_cleanup_mentions(struct wv_mentions **mentions)
{
	wv_mentions_destroy(*mentions);
}
#define _cleanup_mentions_ __attribute__((cleanup(wv_cleanup_mentions)))

/*
 * Chooses the units that mention @word. @module is a pattern for names of images, as in
 * choose-units.h. Returns -WV_E_NO_MATCH if no unit mentions @word.
 */
int wv_units_choose_mentions(struct wv_prepare *prepare, struct wv_mentions *mentions,
			     const char *word, const char *module, struct wv_error *error);

/*
 * Counts, for each word, how many units of @image mention it. Only units for which @is_counted is
 * true are counted.
 */
int wv_mentions_count(const struct wv_prepare *prepare, struct wv_mentions *mentions,
		      const struct wv_prepared_image *image,
		      bool (*is_counted)(const struct wv_prepare *prepare, uint32_t unit),
		      struct wv_mention_counts *ret, struct wv_error *error);

#endif /* WV_MENTIONS_H */
