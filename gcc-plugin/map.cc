// SPDX-License-Identifier: GPL-2.0-or-later
/* Hash tables, and numbered strings. What is called most often is in map.h, to be inlined. */
#include "gcc-compat.h"
#include "map.h"

#define WP_MAP_FIRST_ROOM 64
/* wp_map_clear() frees a table of more slots than this if less than one in so many is used. */
#define WP_MAP_KEPT_ROOM 1024
#define WP_MAP_KEPT_SHARE 8

uint64_t wp_key_of_string(const char *text)
{
	const uint64_t basis = 0xcbf29ce484222325ULL;
	const uint64_t prime = 0x100000001b3ULL;
	uint64_t hash = basis;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * prime;
	return wp_key(hash, 0, 0);
}

void wp_map_grow(struct wp_map *map)
{
	struct wp_map old = *map;

	map->room = old.room ? old.room * 2 : WP_MAP_FIRST_ROOM;
	map->slots = XCNEWVEC(wp_slot, map->room);
	map->round = 1;
	for (unsigned i = 0; i < old.room; i++) {
		wp_slot *slot = &old.slots[i];

		if (slot->round == old.round)
			*wp_map_probe(map, slot->key) = { slot->key, slot->value, map->round };
	}
	free(old.slots);
}

void wp_map_clear(struct wp_map *map)
{
	bool sparse = map->room > WP_MAP_KEPT_ROOM && map->used < map->room / WP_MAP_KEPT_SHARE;

	if (!map->used)
		return;
	/* The keys of a small function would be far apart in the table of a huge one. */
	if (sparse || map->round == UINT_MAX) {
		wp_map_deinit(map);
		return;
	}
	map->used = 0;
	map->round++;
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
