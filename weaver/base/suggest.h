/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Suggests similar names for a mistyped one. */
#ifndef WV_SUGGEST_H
#define WV_SUGGEST_H

#include <stddef.h>

#define WV_SUGGESTION_MAX 3

/* The best of the names offered so far. Set .wanted and zero the rest before the first offer. */
struct wv_suggestion {
	const char *wanted;
	size_t n;
	struct {
		char name[128];
		unsigned int distance;
	} best[WV_SUGGESTION_MAX]; /* nearest first; equally near ones by name */
};

/*
 * Offers one name, which is copied. The name is ignored if it is too different, too long or already
 * among the best.
 */
void wv_suggestion_offer(struct wv_suggestion *suggestion, const char *name);

/* Writes "; did you mean a, b or c?" to @buffer, or "" if nothing is similar. Returns @buffer. */
const char *wv_suggestion_text(const struct wv_suggestion *suggestion, char *buffer, size_t size);

/*
 * Like wv_suggestion_text(), for a user's word: the first @n bytes of @text, where one of the
 * @count @names was expected.
 */
const char *wv_suggestion_of(const char *text, size_t n, const char *const *names,
		       size_t count, char *buffer, size_t size);

/*
 * Returns the number of insertions, deletions, substitutions and swaps of neighbours between @a and
 * @b. Any distance above @limit is returned as @limit + 1, and so is the distance of a text that is
 * longer than .name of struct wv_suggestion.
 */
unsigned int wv_suggestion_distance(const char *a, const char *b, unsigned int limit);

/*
 * Returns the tail of the path @name that has as many components as the path @like, so that a
 * message can show a file's name in the form in which the user wrote it.
 */
const char *wv_path_tail(const char *name, const char *like);

#endif /* WV_SUGGEST_H */
