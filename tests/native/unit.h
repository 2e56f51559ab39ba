/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Small work for many threads at once: some hundred thousand instructions or less, of all three
 * libraries, with nothing shared. What comes of it is one number, the same each time for one @seed.
 */
#ifndef WEFT_TEST_UNIT_H
#define WEFT_TEST_UNIT_H

#include <stdint.h>

enum { UNIT_SEEDS = 24 };

uint64_t unit_run(unsigned int seed);

#endif /* WEFT_TEST_UNIT_H */
