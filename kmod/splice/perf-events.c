// SPDX-License-Identifier: GPL-2.0-or-later
/* Reports changes of text and code to perf; see perf-events.h. */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/perf_event.h>

#include "base/unexported.h"
#include "splice/perf-events.h"

/* Bytes of code in one event; the size in an event has 16 bits. */
enum { PIECE = 4096 };

void wk_perf_text(unsigned long address, const void *old, const void *bytes, unsigned int size)
{
	if (wk_has(perf_event_text_poke))
		wk_call(perf_event_text_poke)((void *)address, old, size, bytes, size);
}

/*
 * Reports to perf @size bytes of code that are added or, if @gone, removed. Reports them in pieces,
 * as the kernel does for the slots of kprobes. Code that is added has no old bytes, and code that
 * is removed has no new bytes.
 */
static void report_pieces(const void *base, unsigned int size, bool gone)
{
	if (!wk_has(perf_event_text_poke))
		return;
	for (unsigned int at = 0; at < size; at += PIECE) {
		const void *piece = base + at;
		unsigned int n = min_t(unsigned int, size - at, PIECE);

		wk_call(perf_event_text_poke)(piece, gone ? piece : NULL, gone ? n : 0,
						   gone ? NULL : piece, gone ? 0 : n);
	}
}

/*
 * Tells perf that the code at @base begins or ceases to exist. The type OOL ("out of line") is also
 * that of the slots of kprobes and of ftrace's trampolines.
 */
static void report_name(const char *name, const void *base, unsigned int size, bool gone)
{
	if (wk_has(perf_event_ksymbol))
		wk_call(perf_event_ksymbol)(PERF_RECORD_KSYMBOL_TYPE_OOL, (unsigned long)base,
						 size, gone, name);
}

void wk_perf_code(const char *name, const void *base, unsigned int size)
{
	report_name(name, base, size, false);
	report_pieces(base, size, false);
}

void wk_perf_code_gone(const char *name, const void *base, unsigned int size)
{
	report_pieces(base, size, true);
	report_name(name, base, size, true);
}
