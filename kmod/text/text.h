/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the text of the live kernel and its modules, as it is or as it was before weft wrote to it,
 * and looks for kprobes in it. Whether a shadow may be spliced is decided in text-check.h.
 * These functions do not change text. Process context, may sleep; the caller holds wk_mutex, so
 * that weft's own splices do not change.
 */
#ifndef WK_TEXT_H
#define WK_TEXT_H

#include <linux/types.h>

struct weft_piece;

/*
 * Finds the bytes that weft itself has written to the text. text.c does not know splices; splice.c,
 * which does, provides these callbacks.
 */
struct wk_text_overlay {
	/*
	 * True: weft wrote to none of the @size bytes at @address. False: it may have. Cheaper than
	 * ->restore.
	 */
	bool (*none)(unsigned long address, unsigned int size);
	/*
	 * Replaces the bytes that weft wrote by the original ones in @buffer, a copy of the @size
	 * bytes of text at @address.
	 */
	void (*restore)(unsigned long address, u8 *buffer, unsigned int size);
};

/* To be called before all other functions of this file. @overlay must stay valid. */
void wk_text_init(const struct wk_text_overlay *overlay);

/*
 * Are these bytes text that stays, the kernel's or one module's? Init text is freed when it has
 * run, and does not count; the kernel's init text lies after _etext.
 */
bool wk_text_contains(unsigned long address, unsigned int size);

/* The end of the text that holds @address, the kernel's or a module's; 0: it is not text. */
unsigned long wk_text_end(unsigned long address);

/*
 * Reads @size bytes of text at live address @address. @original: with the original bytes in place
 * of weft's own and of kprobes' int3s and jumps. -EFAULT if any byte is not text. The caller does
 * not hold kprobe_mutex.
 */
int wk_text_read(unsigned long address, u8 *buffer, unsigned int size, bool original);
/* As wk_text_read(), for @n pieces of text. Stores them in @buffer one after the other. */
int wk_text_read_pieces(const struct weft_piece *pieces, u32 n, u8 *buffer, bool original);

/* Is the original text at @address these bytes? The caller does not hold kprobe_mutex. */
bool wk_text_is(unsigned long address, const u8 *bytes, unsigned int size);

/*
 * Looks once whether any kprobe exists. If there is none, later calls skip the check of each byte,
 * until wk_text_forget_kprobes(). @held: the caller holds kprobe_mutex, so no kprobe can be
 * registered meanwhile. If the caller does not hold it, wk_text_kprobe() may miss a new kprobe, and
 * must be called again under kprobe_mutex before anything is written.
 */
void wk_text_look_for_kprobes(bool held);
/* From now on each byte is checked for kprobes again. */
void wk_text_forget_kprobes(void);

/*
 * Returns whether a kprobe is on one of these bytes, or so close before them that the jump of an
 * optimized kprobe may cover the first of them. The result may be out of date at once, unless the
 * caller holds kprobe_mutex.
 */
bool wk_text_kprobe(unsigned long address, unsigned int size);

/* As wk_text_kprobe(), but only for a kprobe on one of these bytes. */
bool wk_text_kprobe_in(unsigned long address, unsigned int size);

/* Is there a kprobe at @address that may have written there, since its module is still loaded? */
bool wk_text_kprobe_wrote(unsigned long address);

#endif /* WK_TEXT_H */
