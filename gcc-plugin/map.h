/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Containers: a hash table from 64-bit keys to unsigned numbers, and numbered strings. They do not
 * depend on GCC's trees. The strings are never freed.
 */
#ifndef WEFT_MAP_H
#define WEFT_MAP_H

#include <stdint.h>

/*
 * An open-addressed hash table. All zero is an empty table. Keys must not be 0. Looking up a key
 * that is not in the table gives 0.
 */
struct wp_map {
	struct wp_slot *slots;
	unsigned room; /* number of slots allocated: a power of two, or 0 */
	unsigned used;
};

/* The value of a key; 0 if the key is not in the table. */
unsigned wp_map_get(const struct wp_map *map, uint64_t key);

/* A pointer to a key's value. A new key is added with value 0. Valid until the next wp_map_at(). */
unsigned *wp_map_at(struct wp_map *map, uint64_t key);

/* Removes all keys. A small table keeps its memory. */
void wp_map_clear(struct wp_map *map);

/* Frees the memory; the map is empty and valid afterwards. */
void wp_map_deinit(struct wp_map *map);

/* A key made of three numbers: a 64-bit hash, never 0. Collisions are as unlikely as 2^-64. */
uint64_t wp_key(uint64_t a, uint64_t b, uint64_t c);

/* A key made of a string. */
uint64_t wp_key_of_string(const char *text);

/* The number of a string. Equal strings have one number; the empty string has number 0. */
unsigned wp_string(const char *text);

/* The string that has this number. */
const char *wp_string_text(unsigned string);

/* How many strings have numbers, the empty one included. */
unsigned wp_string_count(void);

#endif /* WEFT_MAP_H */
