// SPDX-License-Identifier: GPL-2.0-or-later
/* The growable array; see vec.h. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

void *wv_vec_grow(void **data, size_t *n, size_t *size, size_t element)
{
	void *slot;

	if (*n == *size) {
		size_t wanted = *size ? *size * 2 : 16;
		void *moved;

		if (wanted > SIZE_MAX / element)
			return NULL;
		moved = realloc(*data, wanted * element);
		if (!moved)
			return NULL;
		*data = moved;
		*size = wanted;
	}
	slot = (char *)*data + (*n)++ * element;
	memset(slot, 0, element);
	return slot;
}
