/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bytes in memory: LEB128 numbers, numbering by first mention, and compression. The meaning of the
 * numbers is the caller's.
 */
#ifndef WEFT_PACK_H
#define WEFT_PACK_H

#include "map.h"

typedef vec<unsigned char> wp_bytes;

void wp_bytes_uleb(wp_bytes *bytes, uint64_t value);
void wp_bytes_sleb(wp_bytes *bytes, int64_t value);
void wp_bytes_string(wp_bytes *bytes, const char *text);

/* Appends the zlib stream of bytes; false when that is not shorter. */
bool wp_bytes_deflate(wp_bytes *packed, const wp_bytes &bytes);

/* Numbers items in the order of their first mention. All zero is an empty list. */
struct wp_mentions {
	struct wp_map number; /* item -> 1 + its index in order */
	vec<unsigned> order;
};

/*
 * Writes a mention of @what: its distance from the end of the list (1: the last element). If it is
 * new, appends it and writes 0.
 */
void wp_mention(wp_bytes *bytes, wp_mentions *mentions, unsigned what);

void wp_mentions_deinit(wp_mentions *mentions);

#endif /* WEFT_PACK_H */
