/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How memory is allocated whose size others choose: authors (tables, buffers) and requests (plans).
 * If there is not enough, the allocation fails, instead of having the OOM killer end processes that
 * have nothing to do with it. May sleep.
 *
 * What is kept as long as an aspect is there has to be charged to an account first. All accounts
 * together have a share of the machine's memory, weft.ko's parameter memory_percent: what fails
 * only when nothing is left would leave nothing to the others.
 */
#ifndef WK_TABLE_MEMORY_H
#define WK_TABLE_MEMORY_H

#include <linux/gfp.h>
#include <linux/types.h>

#define WK_GFP_TABLE (GFP_KERNEL | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

/* Bytes that one owner has. All zero: none. Its owner's lock; several accounts need none. */
struct wk_account {
	u64 bytes;
};

/* The share of all accounts. */
unsigned int wk_memory_percent(void);

/* False: it would be too much. */
bool wk_account_charge(struct wk_account *account, u64 bytes);
void wk_account_return(struct wk_account *account, u64 bytes);
/* All that was charged to it is freed. */
void wk_account_close(struct wk_account *account);

/* Zeroed memory for a table, charged. NULL: memory is short. To be freed by kvfree(). */
void *wk_table_create(struct wk_account *account, size_t n, size_t size);

#endif /* WK_TABLE_MEMORY_H */
