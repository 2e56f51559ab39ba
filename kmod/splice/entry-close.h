/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Closes the entries of an aspect's advice after a fault, at once for all trampolines: an int3 is
 * written over the first byte of each entry (after its endbr64). The trap then returns from the
 * advice to its caller; from the entry of around-advice it goes to the original function. The CPU
 * that finds the fault writes the int3s itself, in any context: it takes no lock and waits for
 * nobody, so this takes microseconds, however many splices lead to the entries. The aspect is
 * unwoven afterwards. The entries stay closed as long as the aspect's module is loaded, and the
 * aspect cannot be woven again.
 */
#ifndef WK_ENTRY_CLOSE_H
#define WK_ENTRY_CLOSE_H

#include <linux/compiler.h>
#include <linux/list.h>
#include <linux/rculist.h>
#include <linux/string.h>
#include <linux/types.h>

#include "splice/text-alias.h"

struct weft_around;
struct weft_aspect;

struct wk_entry {
	unsigned long address; /* live address of the byte that is replaced by an int3 */
	u8 before; /* the original byte; an int3: the byte was not replaced */
	const struct weft_around *around; /* the around-advice that is entered; NULL: it is none */
};

/* The entries of one aspect's advice. */
struct wk_entries {
	struct hlist_node node; /* in the list wk_entries */
	struct wk_entry *all;	/* array of ->nr elements, ascending by address */
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
 * Returns the entry that the int3 at @address closes; NULL: it closes none. For the trap: inline,
 * takes no lock, not traced. For an aspect without a fault it reads only one flag.
 */
static __always_inline const struct wk_entry *wk_entry_closed(unsigned long address)
{
	const struct wk_entries *entries;

	hlist_for_each_entry_rcu_notrace(entries, &wk_entries, node) {
		if (!READ_ONCE(entries->closed))
			continue;
		for (unsigned int i = 0; i < entries->nr; i++)
			if (entries->all[i].address == address)
				return &entries->all[i];
	}
	return NULL;
}

/*
 * Returns the address of the instruction after the endbr64 at @entry, or @entry itself if there is
 * no endbr64. Trampolines call this address, and an int3 here closes the entry. The advice has
 * pushed nothing yet at this point, so the trap can return to the trampoline as the advice itself
 * would. A call through a pointer is different, such as that of checked advice (balance.c): on a
 * processor that tracks indirect branches it must go to the endbr64. Any context.
 */
static inline unsigned long wk_entry_after_endbr(unsigned long entry)
{
	static const u8 endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };

	return memcmp((void *)entry, endbr64, sizeof(endbr64)) ? entry : entry + sizeof(endbr64);
}

/*
 * wk_entries_watch() collects the entries of @module's advice in @entries. It also reserves a
 * second mapping of their text, through which wk_entries_close() will write, since that function
 * must not allocate. It is called before the first hit of a weave. wk_entries_forget() undoes this;
 * it is called when no hit is possible any more. Process context, may sleep; under wk_mutex.
 *
 * wk_entries_watch() cannot fail. But wk_entries_close() will return false if memory was short, or
 * if the kernel itself writes to the first byte of an entry (a jump label, a static call).
 */
void wk_entries_watch(struct wk_entries *entries, const struct weft_aspect *module);
void wk_entries_forget(struct wk_entries *entries);

/*
 * Closes the entries. Any context, NMI too; may be called once. Returns false if an entry is still
 * open, for one of these reasons:
 * - wk_entries_watch() could not reserve the second mapping
 * - the kernel itself writes to the entry
 * - a kprobe's int3 is there already
 */
bool wk_entries_close(struct wk_entries *entries);

/* Reports the entries that are closed to perf. Process context. */
void wk_entries_report_to_perf(const struct wk_entries *entries);

#endif /* WK_ENTRY_CLOSE_H */
