// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers and strings out of bytes; see cursor.h. */
#include <string.h>

#include "image/cursor.h"

#define LEB_BITS 7
#define LEB_MASK 0x7fu /* of a byte, what belongs to the number */
#define LEB_SIGN 0x40u /* of the last byte */
#define LEB_MORE 0x80u

struct wv_cursor wv_cursor_at(const struct wv_section *section, uint64_t offset)
{
	if (!section || !section->data || offset >= section->size)
		return (struct wv_cursor){ .wrong = true };
	return (struct wv_cursor){ .at = section->data + offset, .end = section->data + section->size };
}

/* The next @n bytes, or NULL. */
static const uint8_t *take(struct wv_cursor *cursor, uint64_t n)
{
	const uint8_t *bytes = cursor->at;

	if (cursor->wrong || n > (uint64_t)(cursor->end - cursor->at)) {
		cursor->wrong = true;
		cursor->at = cursor->end;
		return NULL;
	}
	cursor->at += n;
	return bytes;
}

uint64_t wv_cursor_number(struct wv_cursor *cursor, size_t size)
{
	const uint8_t *bytes = take(cursor, size);
	uint64_t value = 0;

	if (bytes)
		memcpy(&value, bytes, size < sizeof(value) ? size : sizeof(value));
	return value;
}

/* @sign_ret: the number's highest bit, and where it stands. */
static uint64_t read_leb(struct wv_cursor *cursor, bool *sign_ret, unsigned int *bits_ret)
{
	uint64_t value = 0;
	unsigned int bits = 0;

	while (!cursor->wrong && cursor->at < cursor->end) {
		uint8_t byte = *cursor->at++;

		if (bits < 64)
			value |= (uint64_t)(byte & LEB_MASK) << bits;
		bits += LEB_BITS;
		*sign_ret = byte & LEB_SIGN;
		*bits_ret = bits;
		if (!(byte & LEB_MORE))
			return value;
	}
	cursor->wrong = true;
	*sign_ret = false;
	return 0;
}

uint64_t wv_cursor_uleb(struct wv_cursor *cursor)
{
	unsigned int bits;
	bool sign;

	return read_leb(cursor, &sign, &bits);
}

int64_t wv_cursor_sleb(struct wv_cursor *cursor)
{
	unsigned int bits = 0;
	bool sign;
	uint64_t value = read_leb(cursor, &sign, &bits);

	if (sign && bits < 64)
		value |= UINT64_MAX << bits;
	return (int64_t)value;
}

const char *wv_cursor_string(struct wv_cursor *cursor)
{
	const uint8_t *nul = cursor->wrong || cursor->at == cursor->end ?
				     NULL : memchr(cursor->at, 0, cursor->end - cursor->at);

	return (const char *)take(cursor, nul ? (uint64_t)(nul + 1 - cursor->at) : UINT64_MAX);
}

void wv_cursor_skip(struct wv_cursor *cursor, uint64_t n)
{
	take(cursor, n);
}
