/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Comparisons for qsort() and bsearch(), and sorting. To compare by several keys, chain them; the
 * first that differs decides:
 *
 *	return wv_order_texts(a->file, b->file) ?: wv_order(a->line, b->line);
 */
#ifndef WV_ORDER_H
#define WV_ORDER_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static inline int wv_order(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/*
 * Compares two texts; NULL sorts before any text. Equal interned names (pool.h) have the same
 * address, so strcmp() is not called for them.
 */
static inline int wv_order_texts(const char *a, const char *b)
{
	if (a == b)
		return 0;
	return a && b ? strcmp(a, b) : !!a - !!b;
}

/* Compares two arrays of @n numbers; the first two numbers that differ decide. */
static inline int wv_order_numbers(const uint32_t *a, const uint32_t *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

/*
 * qsort_r() for data that is usually sorted already: it first checks the order, which is cheaper
 * than sorting again.
 */
static inline void wv_sort(void *data, size_t n, size_t size,
			   int (*compare)(const void *a, const void *b, void *context),
			   void *context)
{
	const char *at = data;

	for (size_t i = 1; i < n; i++) {
		if (compare(at + (i - 1) * size, at + i * size, context) <= 0)
			continue;
		qsort_r(data, n, size, compare, context);
		return;
	}
}

#endif /* WV_ORDER_H */
