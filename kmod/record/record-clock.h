/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The clock of records: the kernel's CLOCK_MONOTONIC. To read it takes 50 instructions. So each CPU
 * notes what it was and what the TSC was, and for a millisecond a record's time is computed of
 * these and the TSC alone. What the frequency of the TSC is wrong by, and what NTP slews the clock
 * by, is at most a thousandth: a record's time is then at most a microsecond off, mostly a few
 * nanoseconds. Times of one CPU never decrease, see runtime/record-ring.h.
 */
#ifndef WK_RECORD_CLOCK_H
#define WK_RECORD_CLOCK_H

#include <linux/cache.h>
#include <linux/percpu.h>
#include <linux/types.h>

/* What a CPU has noted. An interrupt may note anew at any time. */
struct wk_record_clock {
	u64 base;  /* the clock, minus what the TSC is in nanoseconds */
	u64 since; /* the TSC when it was noted */
};

DECLARE_PER_CPU(struct wk_record_clock, wk_record_clock);

/* Set when weft.ko is loaded. */
extern u64 wk_record_clock_mult; /* nanoseconds per cycle * 2^32 */
/* minus the cycles for which a note holds; all bits set: the TSC is of no use */
extern u64 wk_record_clock_term;

/* What @cycles are in nanoseconds. With __int128 the compiler would align the stack. */
static __always_inline u64 wk_record_clock_scale(u64 cycles)
{
	asm("mulq %1\n\tshrdq $32, %%rdx, %%rax"
	    : "+a"(cycles)
	    : "m"(wk_record_clock_mult)
	    : "rdx", "cc");
	return cycles;
}

/* rdtsc(), without the moves that the compiler makes of it. */
static __always_inline u64 wk_record_clock_cycles(void)
{
	u64 cycles;

	asm volatile("rdtsc\n\tshlq $32, %%rdx\n\torq %%rdx, %%rax"
		     : "=a"(cycles)
		     :
		     : "rdx", "cc");
	return cycles;
}

/* Returns false if the clock itself must be read. The caller must not migrate. */
static __always_inline bool wk_record_clock_short(u64 *ret)
{
	const u64 cycles = wk_record_clock_cycles();
	u64 time;

	/* In this order: an interrupt in between leaves a base that is newer, not an old one. */
	if (unlikely(this_cpu_read(wk_record_clock.since) - cycles <= wk_record_clock_term))
		return false;
	time = this_cpu_read(wk_record_clock.base) + wk_record_clock_scale(cycles);
	asm volatile("" : "+r"(time)); /* is computed here: later, more registers are in use */
	*ret = time;
	return true;
}

/* Reads the clock, and notes what it is. The caller must not migrate. */
u64 wk_record_clock_read(void);

void wk_record_clock_init(void);

#endif /* WK_RECORD_CLOCK_H */
