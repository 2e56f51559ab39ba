/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Closes the entries of an aspect's advice at once, in all trampolines: an int3 over the first byte
 * of each (behind its endbr64), which the trap answers by a return. It is written by the CPU that
 * finds the reason, in any context: no lock is taken and nobody is waited for, so it takes
 * microseconds, however many splices lead there. The aspect is unwoven afterwards. The entries stay
 * closed as long as the module is loaded, which cannot be woven again.
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
	unsigned long address; /* live: of the byte that is written */
	u8 before; /* that byte until it was closed; an int3: it is not closed */
};

/* The entries of one aspect's advice. */
struct wk_entries {
	struct hlist_node node; /* in wk_entries */
	struct wk_entry *all;	/* ascending */
	unsigned int nr;
	bool complete;		/* ->all has the entries of all advice */
	bool closed;		/* WRITE_ONCE(), READ_ONCE() in the trap */
	struct wk_text_alias alias; /* of all of them */
};

/* Of aspects that are woven, or that retire. It is read without a lock. */
extern struct hlist_head wk_entries;

/*
 * Is the entry of a closed advice closed at @address? For the trap: inline, takes no lock, not
 * traced. Of an aspect without a fault it reads one flag.
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
 * The instruction behind the endbr64 with which the advice at @entry begins, or @entry: what
 * trampolines call, and where an entry is closed. Nothing has been pushed there, so a trap's return
 * is the same. Only calls through a pointer, as where advice is checked (balance.c), must land on
 * the endbr64, on a processor that tracks indirect branches. Any context.
 */
static inline unsigned long wk_entry_behind_endbr(unsigned long entry)
{
	static const u8 endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };

	return memcmp((void *)entry, endbr64, sizeof(endbr64)) ? entry : entry + sizeof(endbr64);
}

/*
 * Before the first hit, and when nothing can hit any more; process context, may sleep, under
 * wk_mutex. If the first fails for want of memory, or where the kernel itself writes to the first
 * byte of an entry (a jump label, a static call), wk_entries_close() returns false.
 */
void wk_entries_watch(struct wk_entries *entries, const struct weft_aspect *module);
void wk_entries_forget(struct wk_entries *entries);

/*
 * Closes them. Any context, NMI too; once. False: some are still open, since there is no alias, or
 * an int3 of a kprobe is there already.
 */
bool wk_entries_close(struct wk_entries *entries);

/* Tells perf of those that are closed. Process context. */
void wk_entries_report_to_perf(const struct wk_entries *entries);

#endif /* WK_ENTRY_CLOSE_H */
