/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interned strings: equal strings get one number and one address, which stays the same until
 * wv_pool_deinit(). Numbers count from 0 in the order in which strings are added. An all-zero
 * struct is an empty pool.
 */
#ifndef WV_POOL_H
#define WV_POOL_H

#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/vec.h"

#define WV_POOL_FAILED UINT32_MAX

struct wv_pool {
	WV_VEC(const char *) strings;
	WV_VEC(char *) chunks;
	size_t room; /* bytes left at the last chunk's end */
	struct wv_hash index;
};

void wv_pool_deinit(struct wv_pool *pool);

/* Returns the number of @text, and adds @text if it is new. WV_POOL_FAILED: out of memory. */
uint32_t wv_pool_add(struct wv_pool *pool, const char *text);
uint32_t wv_pool_add_n(struct wv_pool *pool, const char *text, size_t n);

/* Returns the number of @text; WV_POOL_FAILED if it is not in the pool. Adds nothing. */
uint32_t wv_pool_find(const struct wv_pool *pool, const char *text);

/* Returns the string with a number that wv_pool_add() has returned. */
static inline const char *wv_pool_get(const struct wv_pool *pool, uint32_t number)
{
	return pool->strings.data[number];
}

#define _cleanup_pool_ __attribute__((cleanup(wv_pool_deinit)))

#endif /* WV_POOL_H */
