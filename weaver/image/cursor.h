/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A place in bytes that is not trusted. It never leaves them: the first thing that is not whole makes it wrong, and everything
 * read after that is zero. So a reader reads on and asks once, at its end.
 */
#ifndef WV_CURSOR_H
#define WV_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image/image.h"

struct wv_cursor {
	const uint8_t *at, *end;
	bool wrong;
};

/* At @offset of a loaded section, which may be NULL; wrong when the section does not have that offset. */
struct wv_cursor wv_cursor_at(const struct wv_section *section, uint64_t offset);

/* @size bytes, little endian; of more than eight the first eight. */
uint64_t wv_cursor_number(struct wv_cursor *cursor, size_t size);

/* LEB128 numbers. Bits beyond the 64th are dropped. */
uint64_t wv_cursor_uleb(struct wv_cursor *cursor);
int64_t wv_cursor_sleb(struct wv_cursor *cursor);

/* Up to its NUL; NULL when there is none. */
const char *wv_cursor_string(struct wv_cursor *cursor);

void wv_cursor_skip(struct wv_cursor *cursor, uint64_t n);

#endif /* WV_CURSOR_H */
