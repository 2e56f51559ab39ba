/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading DWARF's bytes one after the other. A cursor never leaves its stretch; the first thing that is wrong is kept in it
 * and makes everything read after it zero.
 */
#ifndef WEFT_IMAGE_CURSOR_H
#define WEFT_IMAGE_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct wv_cursor {
	const uint8_t *at, *end;
	bool wrong;
};

static inline uint64_t wv_cursor_get(struct wv_cursor *cursor, size_t size)
{
	uint64_t value = 0;

	if ((size_t)(cursor->end - cursor->at) < size) {
		cursor->wrong = true;
		cursor->at = cursor->end;
		return 0;
	}
	memcpy(&value, cursor->at, size < sizeof(value) ? size : sizeof(value));
	cursor->at += size;
	return value;
}

static inline uint64_t wv_cursor_uleb(struct wv_cursor *cursor)
{
	uint64_t value = 0;
	unsigned int shift = 0;

	while (cursor->at < cursor->end) {
		uint8_t byte = *cursor->at++;

		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
		if (!(byte & 0x80))
			return value;
	}
	cursor->wrong = true;
	return 0;
}

static inline int64_t wv_cursor_sleb(struct wv_cursor *cursor)
{
	uint64_t value = 0;
	unsigned int shift = 0;

	while (cursor->at < cursor->end) {
		uint8_t byte = *cursor->at++;

		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
		if (!(byte & 0x80)) {
			if ((byte & 0x40) && shift < 64)
				value |= UINT64_MAX << shift;
			return (int64_t)value;
		}
	}
	cursor->wrong = true;
	return 0;
}

static inline void wv_cursor_skip(struct wv_cursor *cursor, uint64_t n)
{
	if (n > (uint64_t)(cursor->end - cursor->at)) {
		cursor->wrong = true;
		n = cursor->end - cursor->at;
	}
	cursor->at += n;
}

#endif /* WEFT_IMAGE_CURSOR_H */
