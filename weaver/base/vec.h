/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A growable array. WV_VEC(type) declares a struct with .data, .n (elements) and .size (elements
 * that there is room for); all zero is an empty array. wv_vec_push() returns a pointer to the new,
 * zeroed element, or NULL if out of memory (the array is then unchanged). Pointers to elements are
 * valid until the next push.
 */
#ifndef WV_VEC_H
#define WV_VEC_H

#include <stddef.h>

#define WV_VEC(type)         \
	struct {             \
		type *data;  \
		size_t n, size; \
	}

void *wv_vec_grow(void **data, size_t *n, size_t *size, size_t element);

#define wv_vec_push(vec)                                                                  \
	((__typeof__((vec)->data))wv_vec_grow((void **)&(vec)->data, &(vec)->n, &(vec)->size, \
					      sizeof(*(vec)->data)))

#define wv_vec_for_each(item, vec)                           \
	for (__auto_type item = (vec)->data; \
	     item && item < (vec)->data + (vec)->n; item++)

/*
 * Binary search: returns the index of the first element for which @condition is false, or .n if
 * there is none. The elements for which it is true must come first. @item is the name that
 * @condition has for a pointer to an element.
 */
#define wv_vec_partition(vec, item, condition)                                   \
	({                                                                       \
		size_t low_ = 0, high_ = (vec)->n;                               \
										 \
		while (low_ < high_) {                                           \
			const size_t middle_ = low_ + (high_ - low_) / 2;        \
			const __auto_type item = &(vec)->data[middle_];          \
										 \
			if (condition)                                           \
				low_ = middle_ + 1;                              \
			else                                                     \
				high_ = middle_;                                 \
		}                                                                \
		low_;                                                            \
	})

#define wv_vec_deinit(vec)            \
	do {                          \
		free((vec)->data);    \
		(vec)->data = NULL;   \
		(vec)->n = (vec)->size = 0; \
	} while (0)

#endif /* WV_VEC_H */
