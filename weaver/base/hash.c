// SPDX-License-Identifier: GPL-2.0-or-later
/* The hash table; see hash.h. Open addressing with linear probing, at most two thirds full. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

#define FIRST_SIZE 64

void wv_hash_deinit(struct wv_hash *table)
{
	free(table->slots);
	memset(table, 0, sizeof(*table));
}

uint32_t wv_hash_find(const struct wv_hash *table, uint32_t hash, wv_hash_equal equal,
		      const void *array, const void *key)
{
	if (!table->size)
		return WV_HASH_NONE;
	for (size_t i = hash & (table->size - 1);; i = (i + 1) & (table->size - 1)) {
		uint32_t position = table->slots[i].position;

		if (position == WV_HASH_NONE)
			return WV_HASH_NONE;
		if (table->slots[i].hash == hash && equal(array, position, key))
			return position;
	}
}

static void place(struct wv_hash *table, uint32_t hash, uint32_t position)
{
	size_t i = hash & (table->size - 1);

	while (table->slots[i].position != WV_HASH_NONE)
		i = (i + 1) & (table->size - 1);
	table->slots[i].hash = hash;
	table->slots[i].position = position;
}

static int grow(struct wv_hash *table)
{
	struct wv_hash old = *table;
	size_t size = old.size ? old.size * 2 : FIRST_SIZE;

	table->slots = malloc(size * sizeof(*table->slots));
	if (!table->slots) {
		*table = old;
		return -1;
	}
	table->size = size;
	/* In a slot of 0xff bytes the position is WV_HASH_NONE, which marks the slot as empty. */
	memset(table->slots, UINT8_MAX, size * sizeof(*table->slots));
	for (size_t i = 0; i < old.size; i++)
		if (old.slots[i].position != WV_HASH_NONE)
			place(table, old.slots[i].hash, old.slots[i].position);
	free(old.slots);
	return 0;
}

int wv_hash_add(struct wv_hash *table, uint32_t hash, uint32_t position)
{
	if (table->n * 3 >= table->size * 2 && grow(table))
		return -1;
	place(table, hash, position);
	table->n++;
	return 0;
}

/* Multiplying by this odd number, 2^64 divided by the golden ratio, spreads the bits of a hash. */
#define MULTIPLIER UINT64_C(0x9e3779b97f4a7c15)

uint32_t wv_hash_bytes(const void *data, size_t n)
{
	const uint8_t *bytes = data;
	uint64_t hash = n * MULTIPLIER, word;

	for (; n >= sizeof(word); n -= sizeof(word), bytes += sizeof(word)) {
		memcpy(&word, bytes, sizeof(word));
		hash = (hash ^ word) * MULTIPLIER;
		hash ^= hash >> 29;
	}
	word = 0;
	if (n)
		memcpy(&word, bytes, n);
	hash = (hash ^ word) * MULTIPLIER;
	return (hash ^ hash >> 29) * MULTIPLIER >> 32;
}
