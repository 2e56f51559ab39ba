/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inline counters: a u64 on each CPU, which a trampoline increments without calling advice. A
 * static per-CPU variable of a module (a near counter) is within reach of one instruction's
 * displacement. But the kernel reserves only 8 KiB of such memory for all modules. Per-CPU memory
 * that is allocated later (a far counter) is out of that reach, and costs one more instruction
 * (runtime/trampoline.h). So weft.ko has a fixed number of near counters, which are handed out
 * first; after that, counters are far.
 *
 * Any process context, may sleep. Needs no lock.
 */
#ifndef WK_COUNTS_H
#define WK_COUNTS_H

#include <linux/types.h>

/* Returns a counter that is 0 on all CPUs; NULL if memory is short. */
u64 __percpu *wk_count_create(void);
/* Frees @count, which may be NULL. */
void wk_count_destroy(u64 __percpu *count);

#endif /* WK_COUNTS_H */
