/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How memory is allocated whose size others choose: authors (tables, buffers) and requests (plans).
 * If there is not enough, the allocation fails, instead of having the OOM killer end processes that
 * have nothing to do with it. May sleep.
 */
#ifndef WK_TABLE_MEMORY_H
#define WK_TABLE_MEMORY_H

#include <linux/gfp.h>

#define WK_GFP_TABLE (GFP_KERNEL | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

#endif /* WK_TABLE_MEMORY_H */
