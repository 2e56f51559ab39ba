/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds, for a joinpoint without an instruction of its own (optimized out, or known by line or
 * operand only), the instruction that now does its work, if there is one. If the compiler reused a
 * value that it had loaded before, or merged two stores into one, the instruction belongs to
 * another access of the same member in the same function.
 *
 * Two accesses are in the same function if they stand in the source of one function, or if the
 * function of one was inlined into an emitted function of the other's name. If no such access
 * exists, an emitted function that the joinpoint's function was inlined into is searched. Of
 * several instructions, the one with the nearest source line is used; if two are equally near, the
 * one with the earlier line. An instruction that has the joinpoint's label but does something else
 * for it (the load through a member whose address is taken) serves it as well.
 */
#ifndef WV_COALESCED_H
#define WV_COALESCED_H

#include "image/symbols.h"
#include "index/inlined.h"
#include "index/shadows.h"

/*
 * Fills @shadows->coalesced. @shadows->list must be complete. @inlined may be all zero: then
 * inlined code is not searched.
 */
int wv_coalesced_find(struct wv_shadows *shadows, const struct wv_merge *merge,
		   const struct wv_symbols *symbols, const struct wv_inlined_list *inlined,
		   struct wv_error *error);

#endif /* WV_COALESCED_H */
