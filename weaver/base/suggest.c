// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Similar names; see suggest.h. The edit distance is the "optimal string alignment", which needs
 * only three rows of the matrix at a time.
 */
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"

#define LENGTH_MAX (sizeof(((struct wv_suggestion *)NULL)->best[0].name) - 1)

static unsigned int least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

unsigned int wv_suggestion_distance(const char *a, const char *b, unsigned int limit)
{
	unsigned int rows[3][LENGTH_MAX + 1];
	size_t m = strlen(a), n = strlen(b);
	size_t longer = m > n ? m : n, shorter = m > n ? n : m;

	if (longer > LENGTH_MAX || longer - shorter > limit)
		return limit + 1;
	for (size_t k = 0; k <= n; k++)
		rows[0][k] = k;
	for (size_t i = 1; i <= m; i++) {
		unsigned int *row = rows[i % 3], *above = rows[(i + 2) % 3],
			     *top = rows[(i + 1) % 3];
		unsigned int smallest = row[0] = i;

		for (size_t k = 1; k <= n; k++) {
			row[k] = least(above[k - 1] + (a[i - 1] != b[k - 1]),
				       least(above[k], row[k - 1]) + 1);
			if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
				row[k] = least(row[k], top[k - 2] + 1);
			smallest = least(smallest, row[k]);
		}
		/*
		 * Stop if every distance in the row exceeds the limit by more than 1: then each
		 * distance in the later rows exceeds the limit.
		 */
		if (smallest > limit + 1)
			return limit + 1;
	}
	return least(rows[m % 3][n], limit + 1);
}

void wv_suggestion_offer(struct wv_suggestion *suggestion, const char *name)
{
	/* Allow one error for every three letters, and at least one. */
	unsigned int limit = strlen(suggestion->wanted) / 3 + !(strlen(suggestion->wanted) / 3);
	unsigned int distance;
	size_t at;

	if (strlen(name) > LENGTH_MAX)
		return;
	distance = wv_suggestion_distance(suggestion->wanted, name, limit);
	if (distance > limit)
		return;
	for (at = 0; at < suggestion->n; at++) {
		int order = strcmp(name, suggestion->best[at].name);

		if (!order)
			return;
		if (distance < suggestion->best[at].distance ||
		    (distance == suggestion->best[at].distance && order < 0))
			break;
	}
	if (at == WV_SUGGESTION_MAX)
		return;
	if (suggestion->n < WV_SUGGESTION_MAX)
		suggestion->n++;
	memmove(&suggestion->best[at + 1], &suggestion->best[at],
		(suggestion->n - at - 1) * sizeof(suggestion->best[0]));
	strcpy(suggestion->best[at].name, name);
	suggestion->best[at].distance = distance;
}

const char *wv_suggestion_text(const struct wv_suggestion *suggestion, char *buffer, size_t size)
{
	size_t used = 0;

	buffer[0] = '\0';
	for (size_t i = 0; i < suggestion->n && used < size; i++)
		used += snprintf(buffer + used, size - used, "%s%s",
				 !i ? "; did you mean " : i + 1 < suggestion->n ? ", " : " or ",
				 suggestion->best[i].name);
	if (suggestion->n && used < size)
		snprintf(buffer + used, size - used, "?");
	return buffer;
}

const char *wv_suggestion_of(const char *text, size_t n, const char *const *names, size_t count,
		       char *buffer, size_t size)
{
	char wanted[LENGTH_MAX + 1];
	struct wv_suggestion suggestion = { .wanted = wanted };

	snprintf(wanted, sizeof(wanted), "%.*s", (int)n, text);
	for (size_t i = 0; i < count; i++)
		wv_suggestion_offer(&suggestion, names[i]);
	return wv_suggestion_text(&suggestion, buffer, size);
}

const char *wv_path_tail(const char *name, const char *like)
{
	const char *start = name + strlen(name);
	size_t slashes = 0;

	for (; *like; like++)
		slashes += *like == '/';
	while (start > name && (start[-1] != '/' || slashes--))
		start--;
	return start;
}
