/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bytes in memory: numbers in DWARF's variable length, numbering by first mention, and packing. It
 * knows nothing of what the numbers say.
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

/* A list in the order of first mention; an all-zero one is empty. */
struct wp_mentions {
	struct wp_map number; /* plus 1 */
	vec<unsigned> order;
};

/* Writes a mention of something that is known by a number of any kind. */
void wp_mention(wp_bytes *bytes, wp_mentions *mentions, unsigned what);

void wp_mentions_deinit(wp_mentions *mentions);

#endif /* WEFT_PACK_H */
