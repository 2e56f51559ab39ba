/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the addresses that control may reach other than from the instruction before. A splice that
 * covers several instructions must know them, and looking at one function cannot find them all.
 * Addresses of symbols are left out: they are known anyway.
 *
 * Everything in the image that could be such an address counts as one: targets of branches and
 * calls that leave the range of their symbol (as to and from foo.cold), also in replacements of
 * alternatives; addresses that are operands of instructions; data words that hold an address in
 * text (as for computed gotos); targets of exception fixups and jump labels.
 */
#ifndef WV_BRANCH_TARGETS_H
#define WV_BRANCH_TARGETS_H

#include "base/vec.h"
#include "image/patch-sites.h"
#include "image/symbols.h"

struct wv_branch_targets {
	WV_VEC(uint64_t) list; /* link addresses, ascending; each once */
};

/* Leaves the list empty for a relocatable image: nothing is woven there. */
int wv_branch_targets_init(struct wv_branch_targets *branch_targets, struct wv_image *image,
			   const struct wv_symbols *symbols, const struct wv_owners *owners,
			   struct wv_error *error);
void wv_branch_targets_deinit(struct wv_branch_targets *branch_targets);

#endif /* WV_BRANCH_TARGETS_H */
