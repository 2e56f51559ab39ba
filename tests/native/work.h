/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Works: functions that use much of what a library can do, the same way each time, and return their
 * result as one number. They avoid the time, the process's number and real randomness, so that two
 * runs execute the same instructions.
 */
#ifndef WEFT_TEST_WORK_H
#define WEFT_TEST_WORK_H

#include <stddef.h>
#include <stdint.h>

/* @size says how much work is done; 1 is the least. */
struct work {
	const char *name, *library;
	uint64_t (*run)(unsigned int size);
};

extern const struct work works[];
extern const size_t nr_works;

/* Must be called once before any work: does what libraries do only the first time. */
void work_init(void);

uint64_t work_compression(unsigned int size);
uint64_t work_streams(unsigned int size);
uint64_t work_files(unsigned int size);
uint64_t work_digests(unsigned int size);
uint64_t work_ciphers(unsigned int size);
uint64_t work_codes(unsigned int size);
uint64_t work_numbers(unsigned int size);
uint64_t work_keys(unsigned int size);
uint64_t work_database(unsigned int size);

void work_cryptography_init(void);
void work_database_init(void);

/* Returns the checksum @sum with @n bytes of result added. */
uint64_t work_add(uint64_t sum, const void *bytes, size_t n);

/* Makes @n bytes that compress as text does. */
void work_text(char *ret, size_t n, unsigned int seed);

#endif /* WEFT_TEST_WORK_H */
