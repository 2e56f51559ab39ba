/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which registers, and whether the arithmetic flags, still matter at an instruction: backward data
 * flow over one function (Aho, Sethi, Ullman, section 10.6). What is not live a trampoline need not
 * save. Everything that is not understood counts as reading all and changing nothing, so a wrong
 * answer errs towards saving.
 *
 * Sound for whatever the kernel makes of the function later: jump labels are followed both ways,
 * and text that is rewritten at boot or may be at any time reads everything.
 */
#ifndef WV_LIVENESS_H
#define WV_LIVENESS_H

#include "x86/decode.h"
#include "base/error.h"
#include "splice/graph.h"

struct wv_liveness;

/* @function's bytes are only needed during the call. */
int wv_liveness_create(const struct wv_function_info *function, struct wv_decoder *decoder,
		       struct wv_liveness **ret, struct wv_error *error);
void wv_liveness_destroy(struct wv_liveness *liveness);

/* What it was made of; @liveness's own. */
const struct wv_graph *wv_liveness_graph(const struct wv_liveness *liveness);

/*
 * WR_BIT()s (runtime/frame.h), WR_FLAGS among them, of what the instruction at @address and those
 * behind it may still read; WEFT_LIVE_UNKNOWN where that is not known, or no instruction begins
 * there.
 */
uint32_t wv_liveness_at(const struct wv_liveness *liveness, uint64_t address);

/*
 * The same behind the instruction at @address, where it goes on at the next one. WEFT_LIVE_UNKNOWN
 * also where the live instruction may be another one, and so end elsewhere.
 */
uint32_t wv_liveness_out(const struct wv_liveness *liveness, uint64_t address);

static inline void wv_cleanup_liveness(struct wv_liveness **liveness)
{
	wv_liveness_destroy(*liveness);
}
#define _cleanup_liveness_ __attribute__((cleanup(wv_cleanup_liveness)))

#endif /* WV_LIVENESS_H */
