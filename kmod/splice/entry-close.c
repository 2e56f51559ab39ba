// SPDX-License-Identifier: GPL-2.0-or-later
/* Closes entries of advice by an int3; see entry-close.h. */
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>

#include "base/unexported.h"
#include "splice/entry-close.h"
#include "splice/perf-events.h"

enum { INT3 = 0xcc };

struct hlist_head wk_closed_entries;

static void write_entry(const struct wk_closed_entry *entry, const u8 *byte)
{
	wk_perf_text(entry->address, (void *)entry->address, byte, sizeof(*byte));
	wk_unexported.text_poke((void *)entry->address, byte, sizeof(*byte));
}

/*
 * A CPU that sees the int3 finds the entry in the list. Writing an int3 over the first byte of an
 * instruction needs no synchronization: a CPU runs either the old instruction or the int3.
 */
void wk_entries_close(struct wk_closed_entry *closed, unsigned int n)
{
	const u8 int3 = INT3;

	mutex_lock(wk_unexported.kprobe_mutex);
	mutex_lock(wk_unexported.text_mutex);
	for (unsigned int i = 0; i < n; i++) {
		if (wk_unexported.get_kprobe((void *)closed[i].address))
			closed[i].address = 0;
		else
			closed[i].old = *(const u8 *)closed[i].address;
		hlist_add_head_rcu(&closed[i].node, &wk_closed_entries);
	}
	smp_wmb(); /* the list before the bytes; the trap reads them in the other order */
	for (unsigned int i = 0; i < n; i++)
		if (closed[i].address)
			write_entry(&closed[i], &int3);
	mutex_unlock(wk_unexported.text_mutex);
	mutex_unlock(wk_unexported.kprobe_mutex);
}

/* As in unpublish() of weave.c: the trap may be reading a removed element. */
void wk_entries_open(struct wk_closed_entry *closed, unsigned int n)
{
	mutex_lock(wk_unexported.text_mutex);
	for (unsigned int i = 0; i < n; i++)
		if (closed[i].address)
			write_entry(&closed[i], &closed[i].old);
	wk_unexported.text_poke_sync();
	mutex_unlock(wk_unexported.text_mutex);
	for (unsigned int i = 0; i < n; i++)
		hlist_del_rcu(&closed[i].node);
	wk_unexported.text_poke_sync();
	synchronize_rcu();
}
