/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The first step of all tests of woven libraries: loads and analyses them, and seeds the random
 * numbers.
 */
#ifndef WEFT_TEST_LOADED_H
#define WEFT_TEST_LOADED_H

#include "weave.h"

enum { LIBRARIES = 3, AREA = 512 << 20, BODY_MAX = 1 << 18 };

struct loaded {
	struct wv_decoder *decoder;	     /* Decodes instructions. */
	struct library libraries[LIBRARIES]; /* The libraries. */
	struct bodies bodies;		     /* Their functions, analysed. */
	struct cpu *cpu;		     /* The struct cpu of the calling thread. */
	/* The state of the random numbers' generator. Its seed is WEFT_SEED or the time. */
	uint64_t random;
};

struct loaded *loaded_create(void);
void loaded_destroy(struct loaded *loaded);

uint64_t loaded_random(struct loaded *loaded);

/* Returns a checksum of the text of all libraries. */
uint64_t loaded_text(const struct loaded *loaded);

/*
 * Weaves every instruction of every function of @library, or of all libraries if it is NULL, with
 * @advice before each. @forget becomes the member of that name in @weave.
 */
void loaded_weave_all(struct loaded *loaded, struct weave *weave, enum advice advice,
		      const char *library, uint32_t forget);

/*
 * Weaves random instructions, in some functions many and in some few, with random counters and
 * advice. Flags of struct wr_platform that are in @without are cleared.
 */
void loaded_weave_random(struct loaded *loaded, struct weave *weave, uint32_t without);

#endif /* WEFT_TEST_LOADED_H */
