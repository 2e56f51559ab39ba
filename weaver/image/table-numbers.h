/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads numbers of the plugin's joinpoint table, for table-reader.c and table-lists.c. These
 * functions report errors by setting the cursor's error, also if memory runs out.
 */
#ifndef WV_TABLE_NUMBERS_H
#define WV_TABLE_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "image/cursor.h"

/* Reads a number that must be less than @limit. If it is not, @what is the error message. */
static inline uint32_t wv_table_below(struct wv_cursor *cursor, uint64_t limit, const char *what)
{
	const uint8_t *start = cursor->at;
	uint64_t value = wv_cursor_uleb(cursor);

	if (!cursor->wrong && value >= limit)
		wv_cursor_fail(cursor, what, start);
	return cursor->wrong ? 0 : value;
}

/* Reads a signed number. Returns the number plus @base; this sum must be in [0, @limit). */
static inline uint32_t wv_table_relative(struct wv_cursor *cursor, uint32_t base, uint64_t limit,
					 const char *what)
{
	const uint8_t *start = cursor->at;
	/* Unsigned arithmetic: an untrusted sum wraps around instead of being undefined. */
	uint64_t value = base + (uint64_t)wv_cursor_sleb(cursor);

	if (!cursor->wrong && value >= limit)
		wv_cursor_fail(cursor, what, start);
	return cursor->wrong ? 0 : value;
}

/*
 * Reads a reference to an element of a list, and returns the element's index. *@mentioned is the
 * number of elements that were referred to so far. The reference is stored as a number: 0 means the
 * next new element, and n means the n-th from the end of the elements that were referred to.
 */
static inline uint32_t wv_table_mention(struct wv_cursor *cursor, size_t *mentioned)
{
	const uint8_t *start = cursor->at;
	uint64_t back = wv_cursor_uleb(cursor);

	if (cursor->wrong)
		return 0;
	if (!back)
		return (*mentioned)++;
	if (back > *mentioned) {
		wv_cursor_fail(cursor, "mention of what was not mentioned before", start);
		return 0;
	}
	return *mentioned - back;
}

/*
 * Reads the number of elements that follow, each of at least @bytes bytes. If so many elements
 * cannot be in the rest of the unit, this is an error at once: otherwise a damaged table could
 * request too much memory.
 */
static inline size_t wv_table_count(struct wv_cursor *cursor, size_t bytes, const char *what)
{
	const uint8_t *start = cursor->at;
	uint64_t count = wv_cursor_uleb(cursor);

	if (!cursor->wrong && count > (uint64_t)(cursor->end - cursor->at) / bytes)
		wv_cursor_fail(cursor, what, start);
	return cursor->wrong ? 0 : count;
}

#define WV_OUT_OF_MEMORY "out of memory"

/*
 * Adds an element to a vector. If memory runs out, sets the cursor's error and returns from the
 * function in which the macro is used.
 */
#define WV_PUSH_OR_RETURN(cursor, vec)                                          \
	({                                                                      \
		__auto_type pushed = wv_vec_push(vec);                          \
		if (!pushed) {                                                  \
			wv_cursor_fail(cursor, WV_OUT_OF_MEMORY, (cursor)->at); \
			return;                                                 \
		}                                                               \
		pushed;                                                         \
	})

/* Makes @vec a vector of @count zeroed elements. */
#define WV_RESIZE_OR_RETURN(cursor, vec, count)                               \
	do {                                                                  \
		(vec)->n = 0;                                                 \
		for (size_t left = (count); left && !(cursor)->wrong; left--) \
			WV_PUSH_OR_RETURN(cursor, vec);                       \
	} while (0)

#endif /* WV_TABLE_NUMBERS_H */
