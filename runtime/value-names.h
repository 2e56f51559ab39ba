/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names of a record's values: the arguments of its weft_log() as the author wrote them, with
 * commas between. Freestanding.
 */
#ifndef WEFT_VALUE_NAMES_H
#define WEFT_VALUE_NAMES_H

#include <linux/types.h>

#ifndef __KERNEL__
#include <stdbool.h>
#include <string.h>
#else
#include <linux/string.h>
#endif

#include "log-format.h"

/*
 * Returns the end of the argument that begins at @at: the next comma outside of brackets and
 * quotes, or the NUL.
 */
static inline const char *wr_argument_end(const char *at)
{
	unsigned int depth = 0;
	char quote = 0;

	for (; *at; at++) {
		if (quote) {
			if (*at == '\\' && at[1])
				at++;
			else if (*at == quote)
				quote = 0;
		} else if (*at == '"' || *at == '\'') {
			quote = *at;
		} else if (wr_is_one_of(*at, "([{")) {
			depth++;
		} else if (wr_is_one_of(*at, ")]}")) {
			depth -= depth > 0;
		} else if (*at == ',' && !depth) {
			break;
		}
	}
	return at;
}

/* Some text, which begins at ->start and ends before ->end. */
struct wr_piece {
	const char *start, *end;
};

static inline struct wr_piece wr_piece_trim(struct wr_piece piece)
{
	while (piece.start < piece.end && wr_is_one_of(*piece.start, " \t\n"))
		piece.start++;
	while (piece.start < piece.end && wr_is_one_of(piece.end[-1], " \t\n"))
		piece.end--;
	return piece;
}

/*
 * Returns the C of the value of an argument: without blanks around it, and of `weft_unit(VALUE,
 * "UNIT")` only VALUE.
 */
static inline struct wr_piece wr_argument_value(struct wr_piece argument)
{
	static const char word[] = "weft_unit(";
	const size_t size = sizeof(word) - 1;
	struct wr_piece value = wr_piece_trim(argument);
	const char *comma;

	if ((size_t)(value.end - value.start) <= size || strncmp(value.start, word, size))
		return value;
	comma = wr_argument_end(value.start + size);
	if (comma >= value.end || *comma != ',')
		return value;
	return wr_piece_trim((struct wr_piece){ value.start + size, comma });
}

/* Are @a and @b the same text, apart from blanks? */
static inline bool wr_piece_is(struct wr_piece a, struct wr_piece b)
{
	for (;;) {
		while (a.start < a.end && *a.start == ' ')
			a.start++;
		while (b.start < b.end && *b.start == ' ')
			b.start++;
		if (a.start == a.end || b.start == b.end)
			return a.start == a.end && b.start == b.end;
		if (*a.start++ != *b.start++)
			return false;
	}
}

/* Is @value one of @names, which are separated as the arguments are? */
static inline bool wr_is_named(struct wr_piece value, const char *names)
{
	for (;;) {
		const char *end = wr_argument_end(names);

		if (wr_piece_is(value, (struct wr_piece){ names, end }))
			return true;
		if (!*end)
			return false;
		names = end + 1;
	}
}

/* Returns the number of arguments that @names lists. */
static inline unsigned int wr_arguments_count(const char *names)
{
	unsigned int n = *names != '\0';

	while (*(names = wr_argument_end(names))) {
		names++;
		n++;
	}
	return n;
}

#endif /* WEFT_VALUE_NAMES_H */
