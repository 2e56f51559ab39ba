/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Near names: what somebody who mistyped a name may have meant. */
#ifndef WV_SUGGEST_H
#define WV_SUGGEST_H

#include <stddef.h>

#define WV_SUGGESTION_MAX 3

/* The best few of the names that were offered so far; all zero with .wanted set begins. */
struct wv_suggestion {
	const char *wanted;
	size_t n;
	struct {
		char name[128];
		unsigned int distance;
	} best[WV_SUGGESTION_MAX]; /* nearest first; of equal ones in the order of their names */
};

/*
 * Offers one name. It is copied. A name that is too far off, too long or there already is passed
 * over.
 */
void wv_suggestion_offer(struct wv_suggestion *suggestion, const char *name);

/* "; did you mean a, b or c?" into @buffer, or "" when nothing is near. Returns @buffer. */
const char *wv_suggestion_text(const struct wv_suggestion *suggestion, char *buffer, size_t size);

/* The hint for @n bytes of @text, where one of the @count @names was wanted. */
const char *wv_suggestion_of(const char *text, size_t n, const char *const *names,
		       size_t count, char *buffer, size_t size);

/*
 * Insertions, deletions, substitutions and swaps of neighbours that make @b of @a; more than @limit
 * is @limit + 1.
 */
unsigned int wv_suggestion_distance(const char *a, const char *b, unsigned int limit);

/* The last components of @name, as many as @like has: files are compared as they were asked for. */
const char *wv_path_tail(const char *name, const char *like);

#endif /* WV_SUGGEST_H */
