/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bytes of kernel text, written one piece at a time; nothing here knows what they mean, or whether
 * somebody runs them (poke.c does).
 *
 * Process context; under wk_mutex.
 */
#ifndef WK_WRITE_H
#define WK_WRITE_H

#include <linux/types.h>

/*
 * Until wk_write_end() nobody else writes text, no kprobe is registered (one may have copied bytes
 * that we change) and no CPU comes or goes. About @n writes are to come, most of them between
 * @first and @end, which are text: many are cheap there, where memory is not short. 0, 0, 0: a few,
 * anywhere.
 */
void wk_write_begin(unsigned long first, unsigned long end, unsigned int n);
void wk_write_end(void);

/* Whoever runs them needs wk_unexported.text_poke_sync() to see them for sure. */
void wk_write(unsigned long address, const void *bytes, unsigned int size);

#endif /* WK_WRITE_H */
