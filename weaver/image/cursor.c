// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads numbers and strings from bytes; see cursor.h. */
#include <stdbool.h>
#include <string.h>

#include "image/cursor.h"

enum {
	LEB_BITS = 7,
	LEB_MASK = 0x7f, /* the bits of a LEB128 byte that belong to the number */
	NUMBER_BITS = 64,
};

struct wv_cursor wv_cursor_at(const struct wv_section *section, uint64_t offset)
{
	if (!section || !section->data || offset >= section->size)
		return (struct wv_cursor){ .wrong = "beyond the end of the section" };
	return (struct wv_cursor){ .at = section->data + offset,
				   .end = section->data + section->size };
}

void wv_cursor_fail(struct wv_cursor *cursor, const char *what, const uint8_t *at)
{
	if (cursor->wrong)
		return;
	cursor->wrong = what;
	cursor->wrong_at = at;
	cursor->at = cursor->end;
}

/*
 * Moves the cursor past @n bytes and returns their start; NULL, with the error set, if there are
 * fewer.
 */
static const uint8_t *take(struct wv_cursor *cursor, uint64_t n)
{
	const uint8_t *bytes = cursor->at;

	if (!cursor->wrong && n <= (uint64_t)(cursor->end - cursor->at)) {
		cursor->at += n;
		return bytes;
	}
	wv_cursor_fail(cursor, "cut off", bytes);
	return NULL;
}

uint64_t wv_cursor_number(struct wv_cursor *cursor, size_t size)
{
	const uint8_t *bytes = take(cursor, size);
	uint64_t value = 0;

	if (bytes)
		memcpy(&value, bytes, size);
	return value;
}

uint64_t wv_cursor_long_uleb(struct wv_cursor *cursor)
{
	const uint8_t *start = cursor->at;
	unsigned int shift = 0;
	uint64_t value = 0;

	while (cursor->at < cursor->end) {
		uint8_t byte = *cursor->at++;
		uint64_t bits = byte & LEB_MASK;

		if (shift >= NUMBER_BITS || (bits << shift) >> shift != bits) {
			wv_cursor_fail(cursor, "number too large", start);
			return 0;
		}
		value |= bits << shift;
		if (!(byte & WV_LEB_MORE))
			return value;
		shift += LEB_BITS;
	}
	wv_cursor_fail(cursor, "number cut off", start);
	return 0;
}

int64_t wv_cursor_long_sleb(struct wv_cursor *cursor)
{
	const uint8_t *start = cursor->at;
	unsigned int shift = 0;
	uint64_t value = 0;

	while (cursor->at < cursor->end) {
		uint8_t byte = *cursor->at++;

		if (shift >= NUMBER_BITS) {
			wv_cursor_fail(cursor, "number too large", start);
			return 0;
		}
		value |= (uint64_t)(byte & LEB_MASK) << shift;
		shift += LEB_BITS;
		if (byte & WV_LEB_MORE)
			continue;
		if ((byte & WV_LEB_SIGN) && shift < NUMBER_BITS)
			value |= UINT64_MAX << shift;
		return (int64_t)value;
	}
	wv_cursor_fail(cursor, "number cut off", start);
	return 0;
}

const char *wv_cursor_string(struct wv_cursor *cursor)
{
	const uint8_t *start = cursor->at;
	const uint8_t *nul = start == cursor->end ? NULL : memchr(start, 0, cursor->end - start);

	if (nul) {
		cursor->at = nul + 1;
		return (const char *)start;
	}
	wv_cursor_fail(cursor, "string without an end", start);
	return NULL;
}

void wv_cursor_skip(struct wv_cursor *cursor, uint64_t n)
{
	take(cursor, n);
}
