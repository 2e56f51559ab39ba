/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Allocates memory whose size is not chosen by weft.ko: authors choose the size of tables and
 * buffers, and requests that of plans, and so the number of splices. If memory is short, the
 * allocation fails; the OOM killer does not end processes that have nothing to do with weft. May
 * sleep.
 *
 * Memory that is kept as long as an aspect exists has to be charged to an account first. All
 * accounts together may have a share of the machine's memory, which weft.ko's parameter
 * memory_percent sets. Without this limit, tables could take all memory before an allocation fails,
 * and leave none to others.
 */
#ifndef WK_TABLE_MEMORY_H
#define WK_TABLE_MEMORY_H

#include <linux/gfp.h>
#include <linux/types.h>

#define WK_GFP_TABLE (GFP_KERNEL | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

/*
 * The allocation flags for memory that holds the input of a request or the answer to it: the memory
 * is charged to the memory control group of the process that makes the request.
 */
#define WK_GFP_REQUEST (WK_GFP_TABLE | __GFP_ACCOUNT)

/*
 * The bytes that one owner has been charged. All zero: an empty account. The owner serializes calls
 * for one account; calls for different accounts need no lock.
 */
struct wk_account {
	u64 bytes;
};

/* The share that all accounts together may have, in percent of the machine's memory. */
unsigned int wk_memory_percent(void);

/*
 * Charges @bytes to @account. Returns false, and charges nothing, if all accounts would exceed
 * their share.
 */
bool wk_account_charge(struct wk_account *account, u64 bytes);
void wk_account_return(struct wk_account *account, u64 bytes);
/* Returns all bytes that @account was charged. The caller has freed the memory. */
void wk_account_close(struct wk_account *account);

/* To be called when all accounts are closed; a debug build reports what is still charged. */
void wk_accounts_deinit(void);

/*
 * Returns zeroed memory for a table of @n elements of @size bytes, charged to @account; NULL:
 * memory is short. To be freed by kvfree().
 */
void *wk_table_create(struct wk_account *account, size_t n, size_t size);

#endif /* WK_TABLE_MEMORY_H */
