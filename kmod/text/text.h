/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The live kernel's text: reading it, as it stands or as it was before weft wrote over it, and
 * looking for kprobes in it. Whether a shadow may be spliced is asked in text-check.h. Everything
 * here only looks. Process context, may sleep; the caller holds wk_mutex, so that weft's own
 * splices stand still.
 */
#ifndef WK_TEXT_H
#define WK_TEXT_H

#include <linux/types.h>

/*
 * What weft itself has written over the text. This layer does not know splices; who writes them
 * (splice.c) tells it, once, what original bytes are under them.
 */
struct wk_text_overlay {
	/*
	 * Is it certain that none of the @size bytes at @address was written over? Cheaper than to
	 * restore them.
	 */
	bool (*none)(unsigned long address, unsigned int size);
	/*
	 * Puts the original bytes over those that were written in @buffer, a copy of the text at
	 * @address.
	 */
	void (*restore)(unsigned long address, u8 *buffer, unsigned int size);
};

/* Before anything else here. @overlay stays. */
void wk_text_init(const struct wk_text_overlay *overlay);

/*
 * Are these bytes text that was there at boot and still is? Init text lies behind _etext and is
 * freed.
 */
bool wk_text_contains(unsigned long address, unsigned int size);

/*
 * Reads text at live @address, as far as it is text. @original shows the original bytes under
 * weft's own splices. -EFAULT where any byte is outside.
 */
int wk_text_read(unsigned long address, u8 *buffer, unsigned int size, bool original);

/* Is the original text at @address these bytes? */
bool wk_text_is(unsigned long address, const u8 *bytes, unsigned int size);

/*
 * Looks once whether there are kprobes at all: where there are none, what follows need not ask for
 * every byte, until it is to be forgotten. @held: the caller keeps kprobe_mutex, so none can come.
 * Otherwise one that comes is missed by wk_text_kprobe(): callers must check again under
 * kprobe_mutex before they write.
 */
void wk_text_look_for_kprobes(bool held);
void wk_text_forget_kprobes(void);

/*
 * Does a kprobe sit on one of these bytes, or shortly before, where its optimised jump may cover
 * the first? An answer for now only, unless text_mutex keeps kprobes from arming.
 */
bool wk_text_kprobe(unsigned long address, unsigned int size);

/* The same, but on these bytes only. */
bool wk_text_kprobe_in(unsigned long address, unsigned int size);

#endif /* WK_TEXT_H */
