/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tells perf of what is written to the kernel's text, and of code that comes and goes outside of
 * it: PERF_RECORD_TEXT_POKE and PERF_RECORD_KSYMBOL. Decoders of processor traces (Intel PT) know
 * the text by these events alone, and perf the names of code outside. The kernel's text_poke_bp()
 * tells of its own writes; text_poke() does not.
 *
 * Process context, may be called with text_mutex held. Cheap where nobody listens, nothing where
 * the kernel has no perf.
 */
#ifndef WK_PERF_EVENTS_H
#define WK_PERF_EVENTS_H

/*
 * The @size bytes at live address @address were @old and are @bytes from now on. To be called while
 * no CPU runs either.
 */
void wk_perf_text(unsigned long address, const void *old, const void *bytes, unsigned int size);

/* @base (live address) begins @size bytes of code, which nothing runs yet. */
void wk_perf_code(const char *name, const void *base, unsigned int size);

/* The same code, which nothing runs any more, is about to be freed. */
void wk_perf_code_gone(const char *name, const void *base, unsigned int size);

#endif /* WK_PERF_EVENTS_H */
