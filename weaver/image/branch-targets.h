/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds branch targets: addresses that control may reach other than from the instruction before. A
 * splice that covers several instructions must not have a branch target inside it. To find all
 * branch targets of a function, it is not enough to decode this function. Addresses of symbols are
 * left out, because the weaver takes each of them for a branch target anyway.
 *
 * Everything in the image that could be a branch target counts as one:
 * - the targets of branches and calls that leave their function range (as to and from foo.cold),
 *   also in the replacements of alternatives;
 * - addresses in text that are operands of instructions;
 * - data words that hold an address in text (as for computed gotos);
 * - the targets of exception fixups and of jump labels.
 */
#ifndef WV_BRANCH_TARGETS_H
#define WV_BRANCH_TARGETS_H

#include "base/vec.h"
#include "image/patch-sites.h"
#include "image/symbols.h"

/*
 * A direct call of a symbol, or a tail call: a direct jump to a symbol from the code of another
 * symbol. Both members are link addresses.
 */
struct wv_direct_call {
	uint64_t address, target;
};

struct wv_branch_targets {
	WV_VEC(uint64_t) list; /* link addresses, ascending; each once */
	/* direct calls, found by the same walk; ascending by .address */
	WV_VEC(struct wv_direct_call) calls;
};

int wv_branch_targets_init(struct wv_branch_targets *branch_targets, struct wv_image *image,
			   const struct wv_symbols *symbols, const struct wv_owners *owners,
			   struct wv_error *error);
void wv_branch_targets_deinit(struct wv_branch_targets *branch_targets);

#endif /* WV_BRANCH_TARGETS_H */
