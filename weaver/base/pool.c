// SPDX-License-Identifier: GPL-2.0-or-later
/* Interned strings; see pool.h. The bytes are in large chunks that are never moved. */
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"

#define CHUNK_SIZE ((size_t)256 * 1024)

struct key {
	const char *text;
	size_t n;
};

static bool equal(const void *array, uint32_t position, const void *key)
{
	const struct wv_pool *pool = array;
	const struct key *wanted = key;
	const char *have = pool->strings.data[position];

	return !strncmp(have, wanted->text, wanted->n) && !have[wanted->n];
}

void wv_pool_deinit(struct wv_pool *pool)
{
	wv_vec_for_each(chunk, &pool->chunks)
		free(*chunk);
	wv_vec_deinit(&pool->chunks);
	wv_vec_deinit(&pool->strings);
	wv_hash_deinit(&pool->index);
	pool->room = 0;
}

/*
 * Copies the @n bytes of @text, and a NUL, to the free bytes of the last chunk. These are the last
 * pool->room bytes of the chunk. If they do not suffice, adds a new chunk first. Returns NULL if
 * out of memory.
 */
static char *copy(struct wv_pool *pool, const char *text, size_t n)
{
	size_t size = n + 1 > CHUNK_SIZE ? n + 1 : CHUNK_SIZE;
	char *place;

	if (n + 1 > pool->room) {
		char **chunk = wv_vec_push(&pool->chunks);

		if (!chunk)
			return NULL;
		*chunk = malloc(size);
		if (!*chunk) {
			pool->chunks.n--;
			return NULL;
		}
		/* A chunk larger than usual holds one string and is full. */
		pool->room = size == CHUNK_SIZE ? CHUNK_SIZE : n + 1;
		place = *chunk;
	} else {
		place = pool->chunks.data[pool->chunks.n - 1] + CHUNK_SIZE - pool->room;
	}
	pool->room -= n + 1;
	memcpy(place, text, n);
	place[n] = '\0';
	return place;
}

uint32_t wv_pool_add_n(struct wv_pool *pool, const char *text, size_t n)
{
	uint32_t hash = wv_hash_bytes(text, n);
	struct key key = { text, n };
	uint32_t number = wv_hash_find(&pool->index, hash, equal, pool, &key);
	const char **slot;
	char *place;

	if (number != WV_HASH_NONE)
		return number;
	if (pool->strings.n == WV_POOL_FAILED)
		return WV_POOL_FAILED;
	place = copy(pool, text, n);
	if (!place)
		return WV_POOL_FAILED;
	slot = wv_vec_push(&pool->strings);
	if (!slot)
		return WV_POOL_FAILED;
	*slot = place;
	number = pool->strings.n - 1;
	if (wv_hash_add(&pool->index, hash, number)) {
		pool->strings.n--;
		return WV_POOL_FAILED;
	}
	return number;
}

uint32_t wv_pool_add(struct wv_pool *pool, const char *text)
{
	return wv_pool_add_n(pool, text, strlen(text));
}

uint32_t wv_pool_find(const struct wv_pool *pool, const char *text)
{
	struct key key = { text, strlen(text) };

	return wv_hash_find(&pool->index, wv_hash_bytes(text, key.n), equal, pool, &key);
}
