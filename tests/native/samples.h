/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declares functions whose registers test_liveness and test_flags observe, and functions of known
 * prototypes.
 */
#ifndef WEFT_TEST_SAMPLES_H
#define WEFT_TEST_SAMPLES_H

enum { SAMPLES_MAX = 48 };

/*
 * Returns a number that many kinds of instructions compute from @seed; @n says how much work it is.
 */
unsigned long sample_run(unsigned int seed, int n);

/*
 * There is one function for each kind of prototype. test_liveness.c finds it by name and does not
 * call it.
 */
struct small;
struct pair;
struct large;
unsigned long given_nothing(void);
unsigned long given_two(unsigned long a, unsigned char b);
unsigned long given_unused(unsigned long a, unsigned long unused, const void *unused_as_well);
unsigned long given_small(struct small a, unsigned long b);
unsigned long given_pair(struct pair a, unsigned long b);
unsigned long given_large(struct large a, unsigned long b);
struct large gives_large(unsigned long a, unsigned long b);
unsigned long given_wide(unsigned __int128 a, unsigned long b);
unsigned long given_seven(long a, long b, long c, long d, long e, long f, long g);
unsigned long given_any(int n, ...);

#endif /* WEFT_TEST_SAMPLES_H */
