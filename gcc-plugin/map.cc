// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Hash tables with linear probing. Their size is a power of two, and they are at most half full. A
 * key and its value are adjacent, so that a look-up touches one cache line.
 */
#include "gcc-compat.h"
#include "map.h"

#define WP_MAP_FIRST_ROOM 64
/* wp_map_clear() frees a table of more slots than this if less than one in so many is used. */
#define WP_MAP_KEPT_ROOM 256
#define WP_MAP_KEPT_SHARE 8

struct wp_slot {
	uint64_t key; /* 0: free */
	unsigned value;
};

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

/*
 * The slot that holds the key, or the free slot where the key belongs. The hash is the upper half
 * of the product, because keys that are addresses differ in their middle bits.
 */
static wp_slot *probe(const struct wp_map *map, uint64_t key)
{
	const uint64_t golden = 0x9e3779b97f4a7c15ULL;
	unsigned at = key * golden >> 32;

	for (;; at++) {
		wp_slot *slot = &map->slots[at & (map->room - 1)];

		if (!slot->key || slot->key == key)
			return slot;
	}
}

static void grow(struct wp_map *map)
{
	struct wp_map old = *map;

	map->room = old.room ? old.room * 2 : WP_MAP_FIRST_ROOM;
	map->slots = XCNEWVEC(wp_slot, map->room);
	for (unsigned i = 0; i < old.room; i++)
		if (old.slots[i].key)
			*probe(map, old.slots[i].key) = old.slots[i];
	free(old.slots);
}

unsigned wp_map_get(const struct wp_map *map, uint64_t key)
{
	return map->used ? probe(map, key)->value : 0;
}

unsigned *wp_map_at(struct wp_map *map, uint64_t key)
{
	if (map->used * 2 >= map->room)
		grow(map);
	wp_slot *slot = probe(map, key);

	if (!slot->key) {
		slot->key = key;
		map->used++;
	}
	return &slot->value;
}

void wp_map_clear(struct wp_map *map)
{
	/*
	 * Free a large table of which little is used: after one huge function, clearing all of it
	 * would be slow for every small function.
	 */
	if (map->room > WP_MAP_KEPT_ROOM && map->used < map->room / WP_MAP_KEPT_SHARE) {
		wp_map_deinit(map);
		return;
	}
	if (map->used)
		memset(map->slots, 0, map->room * sizeof(*map->slots));
	map->used = 0;
}

void wp_map_deinit(struct wp_map *map)
{
	free(map->slots);
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
