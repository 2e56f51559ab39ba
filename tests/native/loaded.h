/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the tests of woven libraries start with: the libraries, analysed, and a source of random
 * numbers.
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
	uint64_t random; /* from WEFT_SEED or the time; printed */
};

struct loaded *loaded_create(void);
void loaded_destroy(struct loaded *loaded);

uint64_t loaded_random(struct loaded *loaded);

/* A sum over all their text. */
uint64_t loaded_text(const struct loaded *loaded);

/*
 * Every instruction of every function of @library (NULL: all), @advice before each. @forget: as
 * struct weave has it.
 */
void loaded_weave_all(struct loaded *loaded, struct weave *weave, enum advice advice,
		      const char *library, uint32_t forget);

/*
 * Random ones, fewer in some functions; counters and advice in turns that nobody foresees.
 * @without: flags of struct wr_platform.
 */
void loaded_weave_random(struct loaded *loaded, struct weave *weave, uint32_t without);

#endif /* WEFT_TEST_LOADED_H */
