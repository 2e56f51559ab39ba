/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values and references in GIMPLE, compared by how they are made. A key is a hash: two references
 * with one key are the same bits of the same object, as far as the statements say.
 */
#ifndef WEFT_FATE_VALUE_H
#define WEFT_FATE_VALUE_H

#include "joinpoints.h"

/*
 * The key of a reference. Strict: with one key two references have the same address at any time.
 * Loose: pointers that are loaded from the same place are taken for the same, though the place may
 * have been changed between the two.
 */
uint64_t wp_reference_key(tree reference, bool strict);

/* Keys are remembered while statements stay as they are: forgets them. */
void wp_values_changed(void);

/* The value that an SSA name is a copy of, itself if of none. */
tree wp_value_copied(tree value);

/* Whether two values are the same: equal, or made equally. */
bool wp_same_value(tree a, tree b);

/* Whether @store may change what the load or store @statement refers to. */
bool wp_may_store_to(gimple *store, gimple *statement);

/* A statement without one of its operands. */
struct wp_shape {
	int code, subcode;
	unsigned operands;
	uint64_t others; /* a key of the other operands */
};

/*
 * Makes the shape of @user without the operand that is @value or, as a memory reference, begins
 * with it. False if there is no such operand, or more than one.
 */
bool wp_shape_init(wp_shape *shape, gimple *user, tree value, unsigned *operand_ret);

/* What is in the place of the operand, if @statement has that shape still. NULL if it has not. */
tree wp_shape_operand(const wp_shape *shape, gimple *statement, unsigned operand);

#endif /* WEFT_FATE_VALUE_H */
