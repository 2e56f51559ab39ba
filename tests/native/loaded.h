/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What all tests of woven libraries begin with: the libraries, loaded and analysed, and a source of
 * random numbers.
 */
#ifndef WEFT_TEST_LOADED_H
#define WEFT_TEST_LOADED_H

#include "weave.h"

enum { LIBRARIES = 3, AREA = 512 << 20, BODY_MAX = 1 << 18 };

struct loaded {
	struct wv_decoder *decoder;
	struct library libraries[LIBRARIES];
	struct bodies bodies;
	struct cpu *cpu;
	uint64_t random; /* the generator's state; its seed is WEFT_SEED or the time */
};

struct loaded *loaded_create(void);
void loaded_destroy(struct loaded *loaded);

uint64_t loaded_random(struct loaded *loaded);

/* Returns a checksum of the text of all libraries. */
uint64_t loaded_text(const struct loaded *loaded);

/*
 * Weaves every instruction of every function of @library (NULL: of all libraries), with @advice
 * before each. @forget: for struct weave's .forget.
 */
void loaded_weave_all(struct loaded *loaded, struct weave *weave, enum advice advice,
		      const char *library, uint32_t forget);

/*
 * Weaves random instructions, in some functions many and in some few, with random counters and
 * advice. @without: flags of struct wr_platform to clear.
 */
void loaded_weave_random(struct loaded *loaded, struct weave *weave, uint32_t without);

#endif /* WEFT_TEST_LOADED_H */
