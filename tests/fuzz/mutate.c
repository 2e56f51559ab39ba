// SPDX-License-Identifier: GPL-2.0-or-later
/* A few kinds of damage: flipped bits, numbers at the borders, pieces cut, copied, moved and taken from elsewhere. */
#include <string.h>

#include "mutate.h"

/* xorshift64* */
static uint64_t next(struct random *random)
{
	random->state ^= random->state >> 12;
	random->state ^= random->state << 25;
	random->state ^= random->state >> 27;
	return random->state * UINT64_C(2685821657736338717);
}

uint64_t random_below(struct random *random, uint64_t n)
{
	return n ? (next(random) >> 11) % n : 0;
}

/* Numbers that sizes, offsets and counts go wrong at. */
static uint64_t border(struct random *random, size_t n)
{
	const uint64_t borders[] = { 0,	 1,	2,	    0x7f,	0x80,	       0xff,	   0x7fff,
				     n,	 n - 1, UINT16_MAX, INT32_MAX,	UINT32_MAX,    INT64_MAX,  UINT64_MAX,
				     16, 64,	4096,	    1u << 20,	0xfffffff0u,   UINT64_MAX - 7 };

	return borders[random_below(random, sizeof(borders) / sizeof(borders[0]))];
}

static size_t piece(struct random *random, size_t n)
{
	size_t most = random_below(random, 4) ? 16 : 256;

	return 1 + random_below(random, n < most ? n : most);
}

static size_t change(struct random *random, uint8_t *bytes, size_t n, size_t room,
		     const uint8_t *other, size_t nr_other)
{
	static const size_t sizes[] = { 1, 2, 4, 8 };
	size_t at = random_below(random, n), size = sizes[random_below(random, 4)];
	size_t from = random_below(random, n);
	size_t some = piece(random, n - (at > from ? at : from));
	uint64_t value;

	switch (random_below(random, 12)) {
	case 0: case 1:
		bytes[at] ^= 1u << random_below(random, 8);
		break;
	case 2: case 3:
		bytes[at] = next(random);
		break;
	case 4: case 5:
		value = border(random, n);
		memcpy(bytes + at, &value, size < n - at ? size : n - at);
		break;
	case 6: /* a number that is a little off */
		memcpy(&value, bytes + at, size < n - at ? size : n - at);
		value += random_below(random, 33) - 16;
		memcpy(bytes + at, &value, size < n - at ? size : n - at);
		break;
	case 7:
		memmove(bytes + at, bytes + from, some);
		break;
	case 8:
		memset(bytes + at, random_below(random, 2) ? 0 : UINT8_MAX, some);
		break;
	case 9: /* out of the middle */
		memmove(bytes + at, bytes + at + some, n - at - some);
		return n - some;
	case 10: /* into the middle */
		if (n + some > room)
			break;
		memmove(bytes + at + some, bytes + at, n - at);
		return n + some;
	case 11:
		if (!random_below(random, 8))
			return at + 1; /* the end is missing */
		from = random_below(random, nr_other);
		some = piece(random, nr_other - from);
		if (nr_other && some <= n - at)
			memcpy(bytes + at, other + from, some);
		break;
	}
	return n;
}

size_t mutate(struct random *random, uint8_t *bytes, size_t n, size_t room, const uint8_t *other,
	      size_t nr_other)
{
	uint64_t changes = 1 + random_below(random, random_below(random, 4) ? 3 : 12);

	while (changes-- && n)
		n = change(random, bytes, n, room, other, nr_other);
	return n;
}
