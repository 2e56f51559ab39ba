/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A read position in untrusted bytes. A cursor never reads outside of these bytes. It keeps the
 * first error and the error's position, and every read after an error returns 0 or NULL. So a
 * caller can ignore errors while it reads, and has to check .wrong only before it uses a number as
 * a size or an index.
 */
#ifndef WV_CURSOR_H
#define WV_CURSOR_H

#include <stddef.h>
#include <stdint.h>

#include "image/image.h"

struct wv_cursor {
	const uint8_t *at, *end;
	const char *wrong;	 /* the first error; NULL: none so far */
	const uint8_t *wrong_at; /* position of the error */
};

/*
 * Returns a cursor that begins @offset bytes into a loaded section. If the section has no byte
 * there, or if @section is NULL, the cursor has an error.
 */
struct wv_cursor wv_cursor_at(const struct wv_section *section, uint64_t offset);

/*
 * Sets the error @what, at position @at, unless an error is set already. The text @what is not
 * copied.
 */
void wv_cursor_fail(struct wv_cursor *cursor, const char *what, const uint8_t *at)
	__attribute__((cold));

/* Reads a little-endian number of @size bytes, at most eight. */
uint64_t wv_cursor_number(struct wv_cursor *cursor, size_t size);

/* Reads a LEB128 number of any length. One that does not fit into 64 bits is an error. */
uint64_t wv_cursor_long_uleb(struct wv_cursor *cursor);
int64_t wv_cursor_long_sleb(struct wv_cursor *cursor);

/* Flag of every byte of a LEB128 number except the last. */
#define WV_LEB_MORE 0x80
/* Sign bit of the last byte of a signed LEB128 number. */
#define WV_LEB_SIGN 0x40

/*
 * The same as wv_cursor_long_uleb() and wv_cursor_long_sleb(), but fast for numbers of one byte, as
 * most are.
 */
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

/* Reads a NUL-terminated string; NULL, with the error set, if no NUL follows. */
const char *wv_cursor_string(struct wv_cursor *cursor);

void wv_cursor_skip(struct wv_cursor *cursor, uint64_t n);

#endif /* WV_CURSOR_H */
