/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds a list of bytes in memory: appends LEB128 numbers and strings, numbers items by first
 * mention, compresses. What the numbers mean, only the caller knows.
 */
#ifndef WEFT_PACK_H
#define WEFT_PACK_H

#include "map.h"

typedef vec<unsigned char> wp_bytes;

void wp_bytes_uleb(wp_bytes *bytes, uint64_t value);
void wp_bytes_sleb(wp_bytes *bytes, int64_t value);
void wp_bytes_string(wp_bytes *bytes, const char *text);

/*
 * Compresses the bytes and appends the zlib stream. If the stream is not shorter than the bytes, or
 * compression fails, appends nothing and returns false.
 */
bool wp_bytes_deflate(wp_bytes *packed, const wp_bytes &bytes);

/* Numbers items in the order of their first mention. All zero is an empty list. */
struct wp_mentions {
	struct wp_map number; /* item -> 1 + its index in order */
	vec<unsigned> order;
};

/*
 * Appends to @bytes how far @what is from the end of the list mentions->order (1: the last
 * element). If @what is not in the list yet, appends 0 to @bytes and @what to the list.
 */
void wp_mention(wp_bytes *bytes, wp_mentions *mentions, unsigned what);

void wp_mentions_deinit(wp_mentions *mentions);

#endif /* WEFT_PACK_H */
