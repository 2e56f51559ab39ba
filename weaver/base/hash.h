/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A hash table from a key's hash to a position in an array that the caller owns. The table never
 * sees keys; the caller compares them. An all-zero struct is an empty table.
 */
#ifndef WV_HASH_H
#define WV_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WV_HASH_NONE UINT32_MAX

struct wv_hash {
	struct {
		uint32_t hash, position;
	} *slots;
	/* .n: entries in use. .size: slots allocated, zero or a power of two. */
	size_t n, size;
};

/* Returns whether the element of @array at @position has the key @key. */
typedef bool (*wv_hash_equal)(const void *array, uint32_t position, const void *key);

void wv_hash_deinit(struct wv_hash *table);

/*
 * Returns the position of @key's element, or WV_HASH_NONE if there is none. @array is only passed
 * on to @equal.
 */
uint32_t wv_hash_find(const struct wv_hash *table, uint32_t hash, wv_hash_equal equal,
		      const void *array, const void *key);

/* Adds a position for a key that wv_hash_find() did not find. Returns 0, or -1 if out of memory. */
int wv_hash_add(struct wv_hash *table, uint32_t hash, uint32_t position);

/* Returns a hash of @n bytes. The hash of equal bytes is the same in every run of the program. */
uint32_t wv_hash_bytes(const void *data, size_t n);

#endif /* WV_HASH_H */
