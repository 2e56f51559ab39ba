/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Containers: a hash table from 64-bit keys to unsigned numbers, and numbered strings. They do not
 * depend on GCC's trees. The strings are never freed.
 */
#ifndef WEFT_MAP_H
#define WEFT_MAP_H

#include <stdint.h>

/* A key and its value are adjacent, so that a look-up touches one cache line. */
struct wp_slot {
	uint64_t key;
	unsigned value;
	unsigned round; /* wp_map.round when the key was added; another number: the slot is free */
};

/*
 * An open-addressed hash table with linear probing, at most half full. All zero is an empty table.
 * Keys must not be 0. Looking up a key that is not in the table gives 0.
 */
struct wp_map {
	struct wp_slot *slots;
	unsigned room; /* number of slots allocated: a power of two, or 0 */
	unsigned used;
	unsigned round; /* another number each time that all keys are removed; with .slots, not 0 */
};

/*
 * The slot that holds the key, or the free slot where the key belongs. The map must have slots. The
 * hash is the upper half of the product, because keys that are addresses differ in their middle
 * bits.
 */
static inline struct wp_slot *wp_map_probe(const struct wp_map *map, uint64_t key)
{
	const uint64_t golden = 0x9e3779b97f4a7c15ULL;
	unsigned at = key * golden >> 32;

	for (;; at++) {
		struct wp_slot *slot = &map->slots[at & (map->room - 1)];

		if (slot->key == key || slot->round != map->round)
			return slot;
	}
}

/* Doubles the room. */
void wp_map_grow(struct wp_map *map);

/* The value of a key; 0 if the key is not in the table. */
static inline unsigned wp_map_get(const struct wp_map *map, uint64_t key)
{
	if (!map->used)
		return 0;
	const struct wp_slot *slot = wp_map_probe(map, key);

	return slot->round == map->round ? slot->value : 0;
}

/* A pointer to a key's value. A new key is added with value 0. Valid until the next wp_map_at(). */
static inline unsigned *wp_map_at(struct wp_map *map, uint64_t key)
{
	if (map->used * 2 >= map->room)
		wp_map_grow(map);
	struct wp_slot *slot = wp_map_probe(map, key);

	if (slot->round != map->round) {
		*slot = { key, 0, map->round };
		map->used++;
	}
	return &slot->value;
}

/* Removes all keys. A small table keeps its memory. */
void wp_map_clear(struct wp_map *map);

/* Frees the memory; the map is empty and valid afterwards. */
void wp_map_deinit(struct wp_map *map);

/* All 128 bits of the product of two numbers, folded to 64. */
static inline uint64_t wp_folded_product(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* A key made of three numbers: a 64-bit hash, never 0. Collisions are about as likely as 2^-64. */
static inline uint64_t wp_key(uint64_t a, uint64_t b, uint64_t c)
{
	/* Random bits: without them, a factor 0 would make the other factor not count. */
	const uint64_t random1 = 0xa0761d6478bd642fULL, random2 = 0xe7037ed1a0b428dbULL;
	const uint64_t random3 = 0x8ebc6af09c88c6e3ULL, random4 = 0x589965cc75374cc3ULL;
	uint64_t key = wp_folded_product(wp_folded_product(a ^ random1, b ^ random2) ^ random3,
					 c ^ random4);

	return key ? key : 1;
}

/* A key made of a string. */
uint64_t wp_key_of_string(const char *text);

/* The number of a string. Equal strings have one number; the empty string has number 0. */
unsigned wp_string(const char *text);

/* The string that has this number. */
const char *wp_string_text(unsigned string);

/* How many strings have numbers, the empty one included. */
unsigned wp_string_count(void);

#endif /* WEFT_MAP_H */
