// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Numbers are made small: the most recently mentioned item is the most likely one, so a mention
 * counts back from the newest element. Then zlib compresses all bytes. Lists are written column by
 * column, which compresses better.
 */
#include <zlib.h>
#include "gcc-compat.h"
#include "pack.h"

void wp_bytes_uleb(wp_bytes *bytes, uint64_t value)
{
	while (value >= 0x80) {
		bytes->safe_push(0x80 | (value & 0x7f));
		value >>= 7;
	}
	bytes->safe_push(value);
}

void wp_bytes_sleb(wp_bytes *bytes, int64_t value)
{
	/* Bit 6 of the last byte is the sign, so the last byte holds -0x40 to 0x3f. */
	while (value < -0x40 || value >= 0x40) {
		bytes->safe_push(0x80 | (value & 0x7f));
		value >>= 7;
	}
	bytes->safe_push(value & 0x7f);
}

void wp_bytes_string(wp_bytes *bytes, const char *text)
{
	do
		bytes->safe_push(*text);
	while (*text++);
}

bool wp_bytes_deflate(wp_bytes *packed, const wp_bytes &bytes)
{
	unsigned before = packed->length();
	uLongf size = compressBound(bytes.length());

	packed->safe_grow(before + size);
	if (compress2(packed->address() + before, &size, bytes.address(), bytes.length(),
		      Z_DEFAULT_COMPRESSION) != Z_OK ||
	    size >= bytes.length()) {
		packed->truncate(before);
		return false;
	}
	packed->truncate(before + size);
	return true;
}

void wp_mention(wp_bytes *bytes, wp_mentions *mentions, unsigned what)
{
	unsigned *at = wp_map_at(&mentions->number, wp_key(what, 0, 0));

	wp_bytes_uleb(bytes, *at ? mentions->order.length() - (*at - 1) : 0);
	if (*at)
		return;
	mentions->order.safe_push(what);
	*at = mentions->order.length();
}

void wp_mentions_deinit(wp_mentions *mentions)
{
	wp_map_deinit(&mentions->number);
	mentions->order.release();
}
