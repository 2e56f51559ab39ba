/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values and references in GIMPLE, compared by how they are made. A key is a hash: two references
 * with the same key are the same bits of the same object, as far as the statements show.
 */
#ifndef WEFT_FATE_VALUE_H
#define WEFT_FATE_VALUE_H

#include "joinpoints.h"

/* The two keys of a reference. */
struct wp_keys {
	/*
	 * pointers that are loaded from the same memory count as equal, though that memory may have
	 * been changed between the two loads
	 */
	uint64_t loose;
	uint64_t strict; /* references with the same key have the same address at any time */
};

wp_keys wp_reference_keys(tree reference);

/* To be called when statements have changed: forgets the keys that were computed before. */
void wp_values_changed(void);

/*
 * Returns the variable of the current function whose memory @reference refers to; NULL: it refers
 * to other memory.
 */
tree wp_local_variable(tree reference);

/* Returns the value that an SSA name is a copy of; @value itself if it is no copy. */
tree wp_value_copied(tree value);

/* Whether two values are equal, or copies of equal values. */
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
 * Makes the shape of @user without the operand that is @value, or that is a memory reference which
 * begins with @value. *@operand_ret: the number of that operand. False if there is no such operand,
 * or more than one; of several in a phi, the last is taken.
 */
bool wp_shape_init(wp_shape *shape, gimple *user, tree value, unsigned *operand_ret);

/*
 * If @statement still has the shape @shape, returns its operand number @operand, which is the one
 * that was left out; else NULL. @loose: the other operands may have changed, too; then the operand
 * is returned only if it is an SSA name.
 */
tree wp_shape_operand(const wp_shape *shape, gimple *statement, unsigned operand, bool loose);

#endif /* WEFT_FATE_VALUE_H */
