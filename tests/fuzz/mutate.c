// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Mutates images so that they stay readable. Nearly every number in an image is the offset or the
 * address of something else: if a byte were inserted or removed, everything after it would move,
 * and the reader would refuse the image at once. So libFuzzer mutates a few pieces of an image, and
 * each piece keeps its size. Databases and all other inputs are mutated by libFuzzer in its usual
 * way.
 */
#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
	PIECE = 64, /* The most bytes of a piece. */
	/* One image in so many is mutated as a whole, which may cut off its end. */
	WHOLE_ONE_IN = 16,
	FEW = 3,	 /* At most so many pieces of an image are mutated. */
	MANY = 12,	 /* In some images, up to so many pieces are mutated instead of FEW. */
	MANY_ONE_IN = 4, /* One image in so many gets up to MANY mutated pieces. */
};

size_t LLVMFuzzerMutate(uint8_t *bytes, size_t n, size_t room);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t n, size_t room, unsigned int seed);

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t n, size_t room, unsigned int seed)
{
	unsigned short random[3] = { seed, seed >> 16 };
	long changes;

	if (n <= PIECE || memcmp(bytes, ELFMAG, SELFMAG) || !(nrand48(random) % WHOLE_ONE_IN))
		return LLVMFuzzerMutate(bytes, n, room);
	changes = 1 + nrand48(random) % (nrand48(random) % MANY_ONE_IN ? FEW : MANY);
	while (changes--) {
		uint8_t piece[PIECE];
		size_t size = 1 + nrand48(random) % PIECE, at = nrand48(random) % (n - size);

		memcpy(piece, bytes + at, size);
		/* If libFuzzer makes the piece shorter, its last bytes stay as they were. */
		LLVMFuzzerMutate(piece, size, size);
		memcpy(bytes + at, piece, size);
	}
	return n;
}
