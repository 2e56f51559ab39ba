/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WEFT_TEST_SAMPLES_H
#define WEFT_TEST_SAMPLES_H

enum { SAMPLES_MAX = 48 };

/* Computes something of @seed, by many kinds of instructions; the longer the greater @n is. */
unsigned long sample_run(unsigned int seed, int n);

#endif /* WEFT_TEST_SAMPLES_H */
