// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Damage to images. In one nearly every number says where something else lies: a byte put in or
 * taken out moves all that is behind it, and the reader's first look ends the matter. So
 * libFuzzer's damage is done to a few pieces of an image, which keep their sizes. Databases and all
 * else it damages better as it likes.
 */
#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
	PIECE = 64,
	WHOLE_ONE_IN = 16, /* the end of a file is missing, too, at times */
	FEW = 3,
	MANY = 12,
	MANY_ONE_IN = 4,
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
		/* What makes it shorter leaves the rest as it was. */
		LLVMFuzzerMutate(piece, size, size);
		memcpy(bytes + at, piece, size);
	}
	return n;
}
