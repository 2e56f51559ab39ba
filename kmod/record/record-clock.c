// SPDX-License-Identifier: GPL-2.0-or-later
/* The clock of records; see record-clock.h. */
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/time64.h>
#include <linux/timekeeping.h>
#include <asm/tsc.h>

#include "record/record-clock.h"

/*
 * Reading the clock takes fewer cycles of the TSC than this, unless an interrupt comes in between.
 * Then the CPU's note is not renewed, since it would be wrong by the length of the interrupt.
 */
enum { READ_CYCLES = 2000 };

DEFINE_PER_CPU(struct wk_record_clock, wk_record_clock);
u64 wk_record_clock_mult __read_mostly;
u64 wk_record_clock_term __read_mostly = ~0ull;

u64 notrace wk_record_clock_read(void)
{
	const u64 before = wk_record_clock_cycles();
	const u64 now = ktime_get_mono_fast_ns();
	const u64 after = wk_record_clock_cycles();

	/* The kernel may find out that the TSC is unstable at any time. */
	if (after - before < READ_CYCLES && !check_tsc_unstable()) {
		/* wk_record_clock_short() reads the two the other way round: first .since. */
		this_cpu_write(wk_record_clock.base, now - wk_record_clock_scale(after));
		this_cpu_write(wk_record_clock.since, after);
	}
	return now;
}

void wk_record_clock_init(void)
{
	if (!boot_cpu_has(X86_FEATURE_TSC) || check_tsc_unstable() || !tsc_khz)
		return;
	wk_record_clock_mult = div_u64((u64)NSEC_PER_MSEC << 32, tsc_khz);
	wk_record_clock_term = -(u64)tsc_khz;
}
