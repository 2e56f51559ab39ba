/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A small piece of work that many threads run at once: at most some hundred thousand instructions,
 * with nothing shared between threads. @seed chooses the work, and by it one of the three
 * libraries. The result is one number, the same each time for the same @seed.
 */
#ifndef WEFT_TEST_UNIT_H
#define WEFT_TEST_UNIT_H

#include <stdint.h>

enum { UNIT_SEEDS = 24 };

uint64_t unit_run(unsigned int seed);

#endif /* WEFT_TEST_UNIT_H */
