/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A position in untrusted bytes, which it never leaves. It keeps the first thing that is wrong and
 * its place; everything read after that is zero. So a reader reads on, and checks once before it
 * uses a number as a size or an index.
 */
#ifndef WV_CURSOR_H
#define WV_CURSOR_H

#include <stddef.h>
#include <stdint.h>

#include "image/image.h"

struct wv_cursor {
	const uint8_t *at, *end;
	const char *wrong;	 /* what is wrong; NULL: nothing so far */
	const uint8_t *wrong_at; /* where that begins */
};

/*
 * At @offset of a loaded section, which may be NULL; wrong when the section does not have that
 * offset.
 */
struct wv_cursor wv_cursor_at(const struct wv_section *section, uint64_t offset);

/* What stands at @at is wrong. @what stays valid; of several the first is kept. */
void wv_cursor_fail(struct wv_cursor *cursor, const char *what, const uint8_t *at)
	__attribute__((cold));

/* @size bytes, little endian, at most eight. */
uint64_t wv_cursor_number(struct wv_cursor *cursor, size_t size);

/* LEB128 numbers of any length; one that does not fit 64 bits is wrong. */
uint64_t wv_cursor_long_uleb(struct wv_cursor *cursor);
int64_t wv_cursor_long_sleb(struct wv_cursor *cursor);

#define WV_LEB_MORE 0x80 /* in every byte but the last */
#define WV_LEB_SIGN 0x40 /* in the last byte */

/* The same. Nearly all numbers are one byte long. */
static inline uint64_t wv_cursor_uleb(struct wv_cursor *cursor)
{
	if (cursor->at < cursor->end && *cursor->at < WV_LEB_MORE)
		return *cursor->at++;
	return wv_cursor_long_uleb(cursor);
}

static inline int64_t wv_cursor_sleb(struct wv_cursor *cursor)
{
	if (cursor->at < cursor->end && *cursor->at < WV_LEB_MORE) {
		int64_t value = *cursor->at++;

		return value & WV_LEB_SIGN ? value - WV_LEB_MORE : value;
	}
	return wv_cursor_long_sleb(cursor);
}

/* Up to its NUL; NULL when there is none. */
const char *wv_cursor_string(struct wv_cursor *cursor);

void wv_cursor_skip(struct wv_cursor *cursor, uint64_t n);

#endif /* WV_CURSOR_H */
