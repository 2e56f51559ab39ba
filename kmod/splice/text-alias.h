/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A second mapping of text, for stores that cannot wait for the kernel's text_mutex. The mapping is
 * reserved beforehand, since that may sleep and fail. Its page table entries are empty except while
 * a store is under way, so no writable address of the text exists at other times.
 */
#ifndef WK_TEXT_ALIAS_H
#define WK_TEXT_ALIAS_H

#include <linux/types.h>

struct wk_text_alias {
	unsigned long text; /* live address of the first page of the text */
	unsigned int pages;
	void *base;	    /* the second address of that page; NULL: nothing is reserved */
	u64 *entries;	    /* for each page: its page table entry during a store */
};

/*
 * Reserves a second mapping for the @size bytes at @text, in the kernel or a module. May sleep.
 * Returns 0 or -errno; after an error @ret->base is NULL.
 */
int wk_text_alias_reserve(struct wk_text_alias *ret, unsigned long text, unsigned long size);

/* Releases the second mapping. Does nothing if no mapping is reserved. */
void wk_text_alias_release(struct wk_text_alias *alias);

/*
 * Writes the @size bytes at @from over @text, with one store: 1 byte, or an aligned word of 8. Any
 * context, NMI too. At most one CPU at a time may write by an alias.
 */
void wk_text_alias_store(const struct wk_text_alias *alias, unsigned long text, const void *from,
			 unsigned int size);

#endif /* WK_TEXT_ALIAS_H */
