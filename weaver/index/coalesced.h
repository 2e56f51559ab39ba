/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For a joinpoint without an instruction of its own (optimized out, or known by line or operand
 * only) the one that serves its member now, if there is one: where the compiler kept a value that
 * it had loaded before, or made one store of two, another access of the same member in the same
 * function has the instruction.
 *
 * "The same function" is the one whose source both stand in, or the emitted one of that name, into
 * which the other's was inlined. Where there is none, it is an emitted function that the
 * joinpoint's was inlined into. Of several instructions the one whose source line is nearest
 * counts, the earlier line first. An instruction that only touches the joinpoint for another use
 * (the load through a member whose address is taken) serves it as well.
 */
#ifndef WV_COALESCED_H
#define WV_COALESCED_H

#include "image/symbols.h"
#include "index/inlined.h"
#include "index/shadows.h"

/* Fills @shadows->served once the list is complete. @copies may be all zero. */
int wv_coalesced_find(struct wv_shadows *shadows, const struct wv_merge *merge,
		   const struct wv_symbols *symbols, const struct wv_inlined_list *inlined,
		   struct wv_error *error);

#endif /* WV_COALESCED_H */
