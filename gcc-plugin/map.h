/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Containers: a hash table from 64-bit keys to numbers, and a list of strings without repetitions.
 * They know nothing of GCC's trees. What they hold lives as long as the compiler.
 */
#ifndef WEFT_MAP_H
#define WEFT_MAP_H

#include <stdint.h>

/*
 * An open-addressed table; an all-zero one is empty and valid. Any key but 0 is allowed, an address
 * as well as a hash; value 0 means "absent".
 */
struct wp_map {
	struct wp_slot *slots;
	unsigned room; /* a power of two, or 0 */
	unsigned used;
};

/* The value of a key, 0 if there is none. */
unsigned wp_map_get(const struct wp_map *map, uint64_t key);

/*
 * The place of a key's value, made with value 0 if there was none. Valid until the next wp_map_at.
 */
unsigned *wp_map_at(struct wp_map *map, uint64_t key);

/* Forgets all keys and keeps the memory. */
void wp_map_clear(struct wp_map *map);

/* Frees the memory; the map is empty and valid afterwards. */
void wp_map_deinit(struct wp_map *map);

/*
 * One key out of up to three numbers; never 0. Equal keys of different numbers are as unlikely as
 * 2^-64 makes them.
 */
uint64_t wp_key(uint64_t a, uint64_t b, uint64_t c);

/* One key out of a string. */
uint64_t wp_key_of_string(const char *text);

/* The number of a string, the same for equal strings; the empty string is number 0. */
unsigned wp_string(const char *text);

/* The string of a number. */
const char *wp_string_text(unsigned string);

/* How many strings there are. */
unsigned wp_string_count(void);

#endif /* WEFT_MAP_H */
