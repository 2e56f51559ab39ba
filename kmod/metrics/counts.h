/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inline counters: a u64 on each CPU, which a trampoline increments without calling advice. There
 * are two kinds:
 * - A near counter is a static per-CPU variable of weft.ko. One instruction can reach it. But the
 *   kernel reserves only 8 KiB of such memory for all modules, so weft.ko has a fixed number of
 *   them.
 * - A far counter is in per-CPU memory that is allocated when it is needed. To reach it takes one
 *   more instruction (runtime/trampoline.h).
 *
 * Near counters are handed out first. Any process context, may sleep. Needs no lock.
 */
#ifndef WK_COUNTS_H
#define WK_COUNTS_H

#include <linux/types.h>

/* Returns a counter that is 0 on all CPUs; NULL if memory is short. */
u64 __percpu *wk_count_create(void);
/* Frees @count, which may be NULL. */
void wk_count_destroy(u64 __percpu *count);

#endif /* WK_COUNTS_H */
