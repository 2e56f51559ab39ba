// SPDX-License-Identifier: GPL-2.0-or-later
/* Keeps the accounts of the memory that aspects use, and limits the sum; see table-memory.h. */
#include <linux/atomic.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/overflow.h>
#include <linux/slab.h>

#include "base/self-check.h"
#include "base/table-memory.h"

static int set_percent(const char *text, const struct kernel_param *param)
{
	return param_set_uint_minmax(text, param, 1, 100);
}

static const struct kernel_param_ops percent_ops = { .set = set_percent, .get = param_get_uint };

static unsigned int memory_percent = 25;
module_param_cb(memory_percent, &percent_ops, &memory_percent, 0644);
MODULE_PARM_DESC(memory_percent, "percentage of the machine's memory that the tables, buffers "
				 "and splices of all aspects may have together: 1 to 100 (25)");

static atomic64_t charged; /* bytes charged to all accounts together */

unsigned int wk_memory_percent(void)
{
	return READ_ONCE(memory_percent);
}

static u64 limit(void)
{
	return div_u64((u64)totalram_pages() * wk_memory_percent(), 100) << PAGE_SHIFT;
}

bool wk_account_charge(struct wk_account *account, u64 bytes)
{
	if (bytes > S64_MAX / 2)
		return false;
	if (atomic64_add_return(bytes, &charged) > limit()) {
		atomic64_sub(bytes, &charged);
		return false;
	}
	account->bytes += bytes;
	return true;
}

void wk_account_return(struct wk_account *account, u64 bytes)
{
	account->bytes -= bytes;
	atomic64_sub(bytes, &charged);
}

void wk_account_close(struct wk_account *account)
{
	wk_account_return(account, account->bytes);
}

void wk_accounts_deinit(void)
{
	WK_BUG(atomic64_read(&charged), "%lld bytes are still charged\n",
	       (s64)atomic64_read(&charged));
}

void *wk_table_create(struct wk_account *account, size_t n, size_t size)
{
	size_t bytes = array_size(n, size);
	void *table;

	if (!wk_account_charge(account, bytes))
		return NULL;
	table = kvzalloc(bytes, WK_GFP_TABLE);
	if (!table)
		wk_account_return(account, bytes);
	return table;
}
