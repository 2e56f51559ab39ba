/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports to perf what weft.ko writes to the kernel's text (PERF_RECORD_TEXT_POKE), and code
 * outside of it that weft.ko adds and removes (PERF_RECORD_KSYMBOL, too). Only by these events do
 * decoders of processor traces (Intel PT) learn how the text has changed, and perf the names of
 * code outside of it. The kernel's text_poke_bp() reports its writes itself; text_poke() does not.
 *
 * Process context, may be called with text_mutex held. Cheap if nobody records such events; does
 * nothing in a kernel without perf.
 */
#ifndef WK_PERF_EVENTS_H
#define WK_PERF_EVENTS_H

/*
 * Reports that the @size bytes at live address @address were @old and are @bytes from now on. To be
 * called while no CPU runs the old or the new bytes.
 */
void wk_perf_text(unsigned long address, const void *old, const void *bytes, unsigned int size);

/* Reports @size bytes of new code at @base (live address), which nothing runs yet. */
void wk_perf_code(const char *name, const void *base, unsigned int size);

/* Reports that the @size bytes of code at @base, which nothing runs any more, will be freed now. */
void wk_perf_code_gone(const char *name, const void *base, unsigned int size);

#endif /* WK_PERF_EVENTS_H */
