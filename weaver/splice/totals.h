/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What became of an aspect's shadows, in numbers: of a plan, of a weave, and in a report. */
#ifndef WV_TOTALS_H
#define WV_TOTALS_H

#include <stddef.h>

#include "runtime/abi.h"
#include "base/str.h"
#include "splice/choose.h"

/* They add up: .matched to all of .by_splice, and its WV_SPLICE_REFUSED to all of .refused. */
struct wv_totals {
	size_t matched;
	size_t by_splice[WV_SPLICES];
	size_t refused[WEFT_REFUSAL_COUNT]; /* by reason */
};

/* One more shadow. @refusal: enum weft_refusal; only used where @splice is WV_SPLICE_REFUSED. */
void wv_totals_add(struct wv_totals *totals, enum wv_splice splice, unsigned int refusal);

/* What a request of the device calls a splice. */
enum wv_splice wv_splice_of_kind(unsigned int kind);

/*
 * "matched 3 = call 1 + jump 0 + springboard 0 + trap 0 + refused 2 (ftrace 1, displaced range 1)"
 */
void wv_totals_text(const struct wv_totals *totals, struct wv_str *out);

/* "ftrace 1, displaced range 1": the reasons that there are. */
void wv_reasons_text(const size_t by_reason[WEFT_REFUSAL_COUNT], struct wv_str *out);

#endif /* WV_TOTALS_H */
