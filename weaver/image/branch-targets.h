/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where control can come into code from elsewhere than from the instruction before: what a splice
 * that covers several instructions has to know, and no look at one function can tell. Addresses
 * that symbols have are left out: they are known.
 *
 * Everything in the image that could be such an address counts as one: targets of branches and
 * calls that leave the stretch of their symbol (as to and from foo.cold), also those in
 * replacements of alternatives; addresses that instructions have as operands; words of data that
 * hold an address in text (as computed gotos have); what fixups of faults and jump labels lead to.
 */
#ifndef WV_BRANCH_TARGETS_H
#define WV_BRANCH_TARGETS_H

#include "base/vec.h"
#include "image/patch-sites.h"
#include "image/symbols.h"

struct wv_branch_targets {
	WV_VEC(uint64_t) list; /* link addresses, ascending; each once */
};

/* None of an image that is still to be relocated: nothing is woven there. */
int wv_branch_targets_init(struct wv_branch_targets *branch_targets, struct wv_image *image,
			   const struct wv_symbols *symbols, const struct wv_owners *owners,
			   struct wv_error *error);
void wv_branch_targets_deinit(struct wv_branch_targets *branch_targets);

#endif /* WV_BRANCH_TARGETS_H */
