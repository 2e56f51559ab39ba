/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The clock of records: the kernel's CLOCK_MONOTONIC. To read this clock takes 50 instructions. So
 * each CPU notes the time and its TSC at that time. For a millisecond the times of records are
 * computed from this note and the TSC alone. The error of the TSC's frequency, and NTP's change of
 * the clock's speed, are at most a thousandth: so a record's time is at most a microsecond wrong,
 * mostly a few nanoseconds. Times of one CPU never decrease, see runtime/record-ring.h.
 */
#ifndef WK_RECORD_CLOCK_H
#define WK_RECORD_CLOCK_H

#include <linux/cache.h>
#include <linux/percpu.h>
#include <linux/types.h>

/* A CPU's note of the time. An interrupt on that CPU may write a new one at any time. */
struct wk_record_clock {
	u64 base;  /* nanoseconds: the clock, minus the TSC converted to nanoseconds */
	u64 since; /* cycles: the TSC when the note was made */
};

DECLARE_PER_CPU(struct wk_record_clock, wk_record_clock);

/* Both are set when weft.ko is loaded. */
extern u64 wk_record_clock_mult; /* nanoseconds per cycle * 2^32 */
/* minus the number of cycles for which a note is valid; all bits set: do not use the TSC */
extern u64 wk_record_clock_term;

/*
 * Converts @cycles of the TSC to nanoseconds. In assembler, since for __int128 the compiler would
 * align the stack.
 */
static __always_inline u64 wk_record_clock_scale(u64 cycles)
{
	asm("mulq %1\n\tshrdq $32, %%rdx, %%rax"
	    : "+a"(cycles)
	    : "m"(wk_record_clock_mult)
	    : "rdx", "cc");
	return cycles;
}

/* Reads the TSC. The same as the kernel's rdtsc(), but without a move between registers. */
static __always_inline u64 wk_record_clock_cycles(void)
{
	u64 cycles;

	asm volatile("rdtsc\n\tshlq $32, %%rdx\n\torq %%rdx, %%rax"
		     : "=a"(cycles)
		     :
		     : "rdx", "cc");
	return cycles;
}

/*
 * Computes the time, in nanoseconds, from the CPU's note. Returns false if the note is too old: the
 * clock itself must be read. The caller must not migrate.
 */
static __always_inline bool wk_record_clock_short(u64 *ret)
{
	const u64 cycles = wk_record_clock_cycles();
	u64 time;

	/*
	 * Read .since before .base: if an interrupt writes a new note in between, the base is newer
	 * than .since, never older.
	 */
	if (unlikely(this_cpu_read(wk_record_clock.since) - cycles <= wk_record_clock_term))
		return false;
	time = this_cpu_read(wk_record_clock.base) + wk_record_clock_scale(cycles);
	/* Makes the compiler compute the time here: later, more registers are in use. */
	asm volatile("" : "+r"(time));
	*ret = time;
	return true;
}

/* Reads the clock, in nanoseconds, and renews the CPU's note. The caller must not migrate. */
u64 wk_record_clock_read(void);

void wk_record_clock_init(void);

#endif /* WK_RECORD_CLOCK_H */
