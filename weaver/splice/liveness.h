/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds which registers and arithmetic flags are live, by backward data flow over one function
 * (Aho, Sethi, Ullman, section 10.6). A trampoline need not save what is not live. If weft does not
 * understand an instruction, it assumes that the instruction reads all registers and writes none.
 * So at worst a trampoline saves too much.
 *
 * The result stays valid when the kernel rewrites the function. A jump label is taken to go both
 * ways, and other text that is rewritten at boot or later is taken to read all registers.
 */
#ifndef WV_LIVENESS_H
#define WV_LIVENESS_H

#include "x86/decode.h"
#include "base/error.h"
#include "splice/graph.h"

struct wv_liveness;

/* Computes the liveness in a function. @function's bytes are only needed during the call. */
int wv_liveness_create(const struct wv_function_info *function, struct wv_decoder *decoder,
		       struct wv_liveness **ret, struct wv_error *error);
void wv_liveness_destroy(struct wv_liveness *liveness);

/* The graph that the liveness was computed from; owned by @liveness. */
const struct wv_graph *wv_liveness_graph(const struct wv_liveness *liveness);

/*
 * Returns what is live before the instruction at @address: WR_BIT()s (runtime/frame.h), including
 * WR_FLAGS. Returns WEFT_LIVE_UNKNOWN if it is not known, or if no instruction begins at @address.
 */
uint32_t wv_liveness_at(const struct wv_liveness *liveness, uint64_t address);

/*
 * Returns what is live after the instruction at @address, as wv_liveness_at() of the next one.
 * Returns WEFT_LIVE_UNKNOWN also in these cases:
 * - Control does not continue at the next instruction, or may branch elsewhere in the function.
 * - The kernel may meanwhile have replaced the instruction by another one, which ends at another
 *   address.
 */
uint32_t wv_liveness_out(const struct wv_liveness *liveness, uint64_t address);

static inline void wv_cleanup_liveness(struct wv_liveness **liveness)
{
	wv_liveness_destroy(*liveness);
}
#define _cleanup_liveness_ __attribute__((cleanup(wv_cleanup_liveness)))

#endif /* WV_LIVENESS_H */
