/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The clock by which weft measures how much time has passed. */
#ifndef WV_CLOCK_H
#define WV_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Returns the time of CLOCK_MONOTONIC in nanoseconds. */
static inline uint64_t wv_clock_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

#endif /* WV_CLOCK_H */
