/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes made wrong in the ways in which files are wrong; the same seed, the same bytes. */
#ifndef WEFT_FUZZ_MUTATE_H
#define WEFT_FUZZ_MUTATE_H

#include <stddef.h>
#include <stdint.h>

struct random {
	uint64_t state;
};

/* 0 to @n - 1; 0 when @n is 0. */
uint64_t random_below(struct random *random, uint64_t n);

/*
 * Makes one to a few changes to the @n bytes at @bytes, which has room for @room; returns how many bytes there are now. @other is
 * another input, of which pieces are taken.
 */
size_t mutate(struct random *random, uint8_t *bytes, size_t n, size_t room, const uint8_t *other,
	      size_t nr_other);

#endif /* WEFT_FUZZ_MUTATE_H */
