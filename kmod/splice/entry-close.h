/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Closes the entries of an aspect's advice at once, in all trampolines: an int3 is written over the
 * first byte of each entry (after its endbr64), and the trap makes it a return. The CPU that finds
 * the fault writes the int3s itself, in any context: it takes no lock and waits for nobody, so this
 * takes microseconds, however many splices lead to the entries. The aspect is unwoven afterwards.
 * The entries stay closed as long as the aspect's module is loaded, and the aspect cannot be woven
 * again.
 */
#ifndef WK_ENTRY_CLOSE_H
#define WK_ENTRY_CLOSE_H

#include <linux/compiler.h>
#include <linux/list.h>
#include <linux/rculist.h>
#include <linux/string.h>
#include <linux/types.h>

#include "splice/text-alias.h"

struct weft_aspect;

struct wk_entry {
	unsigned long address; /* live address of the byte that is replaced by an int3 */
	u8 before; /* that byte before it was replaced; an int3: it was not replaced */
};

/* The entries of one aspect's advice. */
struct wk_entries {
	struct hlist_node node; /* in the list wk_entries */
	struct wk_entry *all;	/* ascending */
	unsigned int nr;
	bool complete;		/* ->all has the entries of all advice */
	bool closed; /* int3s are, or may be, over the entries; the trap reads it without a lock */
	/* second mapping of the text from the first entry to the last */
	struct wk_text_alias alias;
};

/*
 * List of struct wk_entries: of the aspects that are woven or retiring. The trap reads it without a
 * lock.
 */
extern struct hlist_head wk_entries;

/*
 * Is the int3 at @address one that closes an entry? For the trap: inline, takes no lock, not
 * traced. For an aspect without a fault it reads only one flag.
 */
static __always_inline bool wk_entry_is_closed(unsigned long address)
{
	const struct wk_entries *entries;

	hlist_for_each_entry_rcu_notrace(entries, &wk_entries, node) {
		if (!READ_ONCE(entries->closed))
			continue;
		for (unsigned int i = 0; i < entries->nr; i++)
			if (entries->all[i].address == address)
				return true;
	}
	return false;
}

/*
 * The address of the instruction after the endbr64 at @entry, where advice begins; @entry itself if
 * there is no endbr64. Trampolines call this address, and here an entry is closed. Nothing has been
 * pushed there yet, so a return by the trap has the same effect as one of the advice. On a
 * processor that tracks indirect branches, calls through a pointer, as of checked advice
 * (balance.c), must land on the endbr64 itself. Any context.
 */
static inline unsigned long wk_entry_after_endbr(unsigned long entry)
{
	static const u8 endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };

	return memcmp((void *)entry, endbr64, sizeof(endbr64)) ? entry : entry + sizeof(endbr64);
}

/*
 * wk_entries_watch() collects the entries of @module's advice in @entries, and reserves the second
 * mapping of their text by which wk_entries_close() writes, since that function must not allocate.
 * Call it before the first hit of a weave. wk_entries_forget() undoes that; call it when no hit is
 * possible any more. Process context, may sleep; under wk_mutex. wk_entries_watch() cannot fail: if
 * memory is short, or if the kernel itself writes to the first byte of an entry (a jump label, a
 * static call), wk_entries_close() will return false.
 */
void wk_entries_watch(struct wk_entries *entries, const struct weft_aspect *module);
void wk_entries_forget(struct wk_entries *entries);

/*
 * Closes the entries. Any context, NMI too; may be called once. Returns false if an entry is still
 * open: there is no alias, or the kernel writes to the entry itself, or a kprobe's int3 is there
 * already.
 */
bool wk_entries_close(struct wk_entries *entries);

/* Reports the entries that are closed to perf. Process context. */
void wk_entries_report_to_perf(const struct wk_entries *entries);

#endif /* WK_ENTRY_CLOSE_H */
