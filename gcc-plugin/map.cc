// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The containers' heart: linear probing in tables of a power of two that are at most half full.
 * Keys are hashes already (wp_key mixes), so the low bits can be used as they are.
 */
#include "gcc-compat.h"
#include "map.h"

#define WP_MAP_FIRST_ROOM 256

/* The finishing steps of a multiply-xorshift hash: every input bit reaches every output bit. */
static uint64_t stir(uint64_t x)
{
	const uint64_t odd1 = 0xff51afd7ed558ccdULL;
	const uint64_t odd2 = 0xc4ceb9fe1a85ec53ULL;

	x ^= x >> 33;
	x *= odd1;
	x ^= x >> 33;
	x *= odd2;
	return x ^ (x >> 33);
}

uint64_t wp_key(uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t key = stir(stir(stir(a + 1) + b) + c);

	return key ? key : 1;
}

uint64_t wp_key_of_string(const char *text)
{
	const uint64_t basis = 0xcbf29ce484222325ULL;
	const uint64_t prime = 0x100000001b3ULL;
	uint64_t hash = basis;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * prime;
	return wp_key(hash, 0, 0);
}

/* The slot that holds the key, or the free one where it belongs. */
static unsigned probe(const struct wp_map *map, uint64_t key)
{
	unsigned at = key & (map->room - 1);

	while (map->keys[at] && map->keys[at] != key)
		at = (at + 1) & (map->room - 1);
	return at;
}

static void grow(struct wp_map *map)
{
	struct wp_map old = *map;

	map->room = old.room ? old.room * 2 : WP_MAP_FIRST_ROOM;
	map->keys = XCNEWVEC(uint64_t, map->room);
	map->values = XCNEWVEC(unsigned, map->room);
	for (unsigned i = 0; i < old.room; i++) {
		if (!old.keys[i])
			continue;
		unsigned at = probe(map, old.keys[i]);

		map->keys[at] = old.keys[i];
		map->values[at] = old.values[i];
	}
	free(old.keys);
	free(old.values);
}

unsigned wp_map_get(const struct wp_map *map, uint64_t key)
{
	if (!map->room)
		return 0;
	unsigned at = probe(map, key);

	return map->keys[at] ? map->values[at] : 0;
}

unsigned *wp_map_at(struct wp_map *map, uint64_t key)
{
	if (map->used * 2 >= map->room)
		grow(map);
	unsigned at = probe(map, key);

	if (!map->keys[at]) {
		map->keys[at] = key;
		map->values[at] = 0;
		map->used++;
	}
	return &map->values[at];
}

void wp_map_clear(struct wp_map *map)
{
	/*
	 * A table that one huge function blew up would make the clearing for each small one after
	 * it dear.
	 */
	if (map->room > WP_MAP_FIRST_ROOM * 16) {
		wp_map_deinit(map);
		return;
	}
	if (map->used)
		memset(map->keys, 0, map->room * sizeof(*map->keys));
	map->used = 0;
}

void wp_map_deinit(struct wp_map *map)
{
	free(map->keys);
	free(map->values);
	memset(map, 0, sizeof(*map));
}

static vec<char *> texts;
static struct wp_map numbers;

unsigned wp_string(const char *text)
{
	if (!texts.length())
		texts.safe_push(xstrdup(""));
	if (!text || !*text)
		return 0;
	unsigned *at = wp_map_at(&numbers, wp_key_of_string(text));

	if (!*at) {
		*at = texts.length();
		texts.safe_push(xstrdup(text));
	}
	return *at;
}

const char *wp_string_text(unsigned string)
{
	return texts.length() ? texts[string] : "";
}

unsigned wp_string_count(void)
{
	return texts.length() ? texts.length() : 1;
}
