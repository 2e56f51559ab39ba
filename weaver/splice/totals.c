// SPDX-License-Identifier: GPL-2.0-or-later
/* Counts shadows; see totals.h. */
#include "splice/refusal.h"
#include "splice/totals.h"

void wv_totals_add(struct wv_totals *totals, enum wv_splice splice, unsigned int refusal)
{
	totals->matched++;
	totals->by_splice[splice]++;
	if (splice == WV_SPLICE_REFUSED)
		totals->refused[refusal < WEFT_REFUSAL_COUNT ? refusal : WEFT_REFUSAL_NONE]++;
}

enum wv_splice wv_splice_of_kind(unsigned int kind)
{
	static const enum wv_splice splices[WEFT_SPLICE_KINDS] = {
		[WEFT_SPLICE_CALL] = WV_SPLICE_CALL,
		[WEFT_SPLICE_JUMP] = WV_SPLICE_JUMP,
		[WEFT_SPLICE_SPRINGBOARD] = WV_SPLICE_SPRINGBOARD,
		[WEFT_SPLICE_TRAP] = WV_SPLICE_TRAP,
	};

	return kind < WEFT_SPLICE_KINDS ? splices[kind] : WV_SPLICE_TRAP;
}

void wv_reasons_text(const size_t by_reason[WEFT_REFUSAL_COUNT], struct wv_str *out)
{
	const char *separator = "";

	for (unsigned int i = 0; i < WEFT_REFUSAL_COUNT; i++) {
		if (!by_reason[i])
			continue;
		wv_str_addf(out, "%s%s %zu", separator, wv_refusal_name(i), by_reason[i]);
		separator = ", ";
	}
}

void wv_totals_text(const struct wv_totals *totals, struct wv_str *out)
{
	wv_str_addf(out, "matched %zu", totals->matched);
	for (unsigned int i = 0; i < WV_SPLICES; i++) {
		if (i == WV_SPLICE_REFUSED && totals->uprobes)
			wv_str_addf(out, " + uprobe %zu", totals->uprobes);
		wv_str_addf(out, " %s %s %zu", i ? "+" : "=", wv_splice_name(i),
			    totals->by_splice[i]);
	}
	if (!totals->by_splice[WV_SPLICE_REFUSED])
		return;
	wv_str_add(out, " (");
	wv_reasons_text(totals->refused, out);
	wv_str_add(out, ")");
}
