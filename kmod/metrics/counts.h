/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inline counters: a number on each CPU. An instruction can say where a per-CPU variable of a
 * module is, but the kernel sets only 8 KiB aside for those of all modules; what it allocates later
 * is too far away, and costs an instruction more (runtime/trampoline.h). So weft.ko has room for
 * some near ones, of which the first counters get each one, and there are as many others as there
 * is memory for.
 *
 * May sleep; any process context.
 */
#ifndef WK_COUNTS_H
#define WK_COUNTS_H

#include <linux/types.h>

/* Zero on all CPUs. NULL where memory is short. */
u64 __percpu *wk_count_create(void);
void wk_count_destroy(u64 __percpu *count); /* NULL is fine */

#endif /* WK_COUNTS_H */
