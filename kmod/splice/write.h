/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes to kernel text, one range at a time. This layer does not know what the bytes mean, nor
 * whether a CPU may be running them; poke.c does.
 *
 * Process context; under wk_mutex.
 */
#ifndef WK_WRITE_H
#define WK_WRITE_H

#include <linux/types.h>

/*
 * Until wk_write_end(), no other writer changes text, no kprobe is registered (it could copy bytes
 * that weft changes) and no CPU is hot-plugged. The arguments are a hint: about @n writes follow,
 * most of them to text between @first and @end (live addresses). If memory permits, many writes are
 * then made cheaper. 0, 0, 0: a few writes, anywhere.
 */
void wk_write_begin(unsigned long first, unsigned long end, unsigned int n);
/* Releases the locks that wk_write_begin() has taken. */
void wk_write_end(void);

/*
 * Writes @size bytes at live address @address. Other CPUs are sure to see the new bytes only after
 * text_poke_sync().
 */
void wk_write(unsigned long address, const void *bytes, unsigned int size);

#endif /* WK_WRITE_H */
