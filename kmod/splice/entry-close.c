// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Closes the entries of advice by an int3 over the first byte; see entry-close.h.
 *
 * The int3 is stored without text_mutex, so another writer of the same byte may come in between. In
 * a module's text there are two kinds of such writers:
 * - Jump labels and static calls compare the old bytes before they write, and would find the int3.
 *   So an entry that begins with one of them is never closed.
 * - Kprobes. If a kprobe is there already, its int3 is in place, and the entry stays open. A kprobe
 *   that is registered later is refused (kprobe-hook.c). A kprobe that was allowed just before the
 *   store either has copied the first byte before the store, and then does no more than open the
 *   entry again when it is removed; or it finds the int3, and the kernel refuses to probe an int3.
 */
#include <linux/mm.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/sort.h>
#include <linux/string.h>

#include "runtime/advice.h"
#include "splice/entry-close.h"
#include "splice/perf-events.h"
#include "text/sites.h"

enum { INT3 = 0xcc };

static int by_address(const void *left_, const void *right_)
{
	const struct wk_entry *left = left_, *right = right_;

	return left->address < right->address ? -1 : left->address > right->address;
}

/* Adds @entry to @all, unless @all is NULL or the entry cannot be closed. Returns 1. */
static unsigned int add(unsigned long entry, const struct weft_around *around, struct wk_entry *all,
			unsigned int *nr)
{
	const unsigned long address = wk_entry_after_endbr(entry);

	if (all && !wk_sites_module_owns(address, sizeof(u8)))
		all[(*nr)++] = (struct wk_entry){ address, INT3, around };
	return 1;
}

/*
 * Returns the number of entries in the module. If @all is not NULL, puts the entries that can be
 * closed into @all, and their number into *@ret.
 */
static unsigned int collect(const struct weft_aspect *module, struct wk_entry *all,
			    unsigned int *ret)
{
	unsigned int nr = 0;

	*ret = 0;
	for (u32 i = 0; i < module->header->nr_advices; i++)
		if (module->advices[i].entry)
			nr += add((unsigned long)module->advices[i].entry, NULL, all, ret);
	for (u32 i = 0; i < module->nr_arounds; i++)
		nr += add(module->arounds[i].entry, &module->arounds[i], all, ret);
	return nr;
}

void wk_entries_watch(struct wk_entries *entries, const struct weft_aspect *module)
{
	unsigned int nr;

	memset(entries, 0, sizeof(*entries));
	nr = collect(module, NULL, &entries->nr);
	entries->all = kvmalloc_array(nr, sizeof(*entries->all), GFP_KERNEL);
	if (!nr || !entries->all)
		return;
	collect(module, entries->all, &entries->nr);
	sort(entries->all, entries->nr, sizeof(*entries->all), by_address, NULL);
	entries->complete = entries->nr == nr;
	if (entries->nr)
		wk_text_alias_reserve(&entries->alias, entries->all[0].address,
				      entries->all[entries->nr - 1].address + 1 -
					      entries->all[0].address);
	hlist_add_head_rcu(&entries->node, &wk_entries);
}

/*
 * Takes @entries off the list that the trap reads, and frees them. A trap on another CPU may be in
 * the middle of this. So every CPU is interrupted (kick_all_cpus_sync()) before, for traps that met
 * one of the int3s and still have to find it on the list; and after, for those that may still be
 * reading the list. For the latter there is a grace period, too; see unpublish() in weave.c.
 */
void wk_entries_forget(struct wk_entries *entries)
{
	if (!hlist_unhashed(&entries->node)) {
		kick_all_cpus_sync();
		hlist_del_rcu(&entries->node);
		kick_all_cpus_sync();
		synchronize_rcu();
	}
	wk_text_alias_release(&entries->alias);
	kvfree(entries->all);
	memset(entries, 0, sizeof(*entries));
}

bool wk_entries_close(struct wk_entries *entries)
{
	const u8 int3 = INT3;
	bool all = entries->complete;

	if (!entries->alias.base)
		return false;
	WRITE_ONCE(entries->closed, true);
	/*
	 * ->closed must be visible before the int3s. The pair of this barrier is the exception: the
	 * trap meets an int3 first, and then reads ->closed.
	 */
	smp_wmb();
	for (unsigned int i = 0; i < entries->nr; i++) {
		struct wk_entry *entry = &entries->all[i];

		entry->before = READ_ONCE(*(const u8 *)entry->address);
		if (entry->before == INT3)
			all = false;
		else
			wk_text_alias_store(&entries->alias, entry->address, &int3, sizeof(int3));
	}
	return all;
}

void wk_entries_report_to_perf(const struct wk_entries *entries)
{
	const u8 int3 = INT3;

	for (unsigned int i = 0; i < entries->nr; i++)
		if (entries->all[i].before != INT3)
			wk_perf_text(entries->all[i].address, &entries->all[i].before, &int3,
				     sizeof(int3));
}
