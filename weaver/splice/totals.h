/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers of an aspect's shadows by splice and refusal: for plans, weaves and reports. */
#ifndef WV_TOTALS_H
#define WV_TOTALS_H

#include <stddef.h>

#include "runtime/abi.h"
#include "base/str.h"
#include "splice/choose.h"

/*
 * Invariants: .matched is the sum of .by_splice and .uprobes; .by_splice[WV_SPLICE_REFUSED] is the
 * sum of .refused.
 */
struct wv_totals {
	size_t matched;
	size_t by_splice[WV_SPLICES];
	size_t uprobes; /* shadows in programs, which have no splice */
	size_t refused[WEFT_REFUSAL_COUNT]; /* number of refusals by reason */
};

/* Counts one shadow. @refusal: enum weft_refusal; only used if @splice is WV_SPLICE_REFUSED. */
void wv_totals_add(struct wv_totals *totals, enum wv_splice splice, unsigned int refusal);

/* Converts an enum weft_splice_kind, as weft.ko's device uses it. */
enum wv_splice wv_splice_of_kind(unsigned int kind);

/*
 * Adds to @out "matched 3 = call 1 + jump 0 + springboard 0 + trap 0 + refused 2 (ftrace 1,
 * branch-target 1)".
 */
void wv_totals_text(const struct wv_totals *totals, struct wv_str *out);

/* Adds to @out "ftrace 1, branch-target 1": the reasons whose number is not 0. */
void wv_reasons_text(const size_t by_reason[WEFT_REFUSAL_COUNT], struct wv_str *out);

#endif /* WV_TOTALS_H */
