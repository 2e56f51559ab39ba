/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The per-CPU variable that holds the preemption count. */
#ifndef WK_PREEMPT_COUNT_H
#define WK_PREEMPT_COUNT_H

/* Linux 6.2 moved the count into struct pcpu_hot; 6.15 made it a variable of its own again. */
#ifdef WK_HAS_PCPU_HOT
#include <asm/current.h>
#define WK_PREEMPT_COUNT ((unsigned long)&pcpu_hot.preempt_count)
/* for assembler: the variable that has the count, and the count's offset in it, in bytes */
#define WK_PREEMPT_COUNT_SYMBOL "pcpu_hot"
#define WK_PREEMPT_COUNT_OFFSET offsetof(struct pcpu_hot, preempt_count)
#else
#include <asm/preempt.h>
#define WK_PREEMPT_COUNT ((unsigned long)&__preempt_count)
#define WK_PREEMPT_COUNT_SYMBOL "__preempt_count"
#define WK_PREEMPT_COUNT_OFFSET 0
#endif

#endif /* WK_PREEMPT_COUNT_H */
