/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bytes of kernel text, written one piece at a time; nothing here knows what they mean, or whether somebody runs them (poke.c does).
 *
 * Process context; the caller holds text_mutex.
 */
#ifndef WK_WRITE_H
#define WK_WRITE_H

#include <linux/types.h>

/*
 * Writing between these addresses is cheap until wk_write_end(), where memory is not short; it works in any case, and elsewhere as
 * well. For many writes: it costs as much as a few.
 */
void wk_write_begin(unsigned long first, unsigned long end);
void wk_write_end(void);

/* Whoever runs them needs wk_symbols.text_poke_sync() to see them for sure. */
void wk_write(unsigned long address, const void *bytes, unsigned int size);

#endif /* WK_WRITE_H */
