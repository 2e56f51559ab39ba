// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The hash of a function's GIMPLE; see fate-changed.h. Trees and statements count by their
 * addresses, since passes put a new tree in the place of an old one. Only the SSA names inside a
 * memory reference are replaced in the tree itself: GCC's list of the names that a statement uses
 * shows this.
 */
#include "gcc-compat.h"
#include "fate-changed.h"

/*
 * The hash is a polynomial of all numbers, in the order in which they come: with 64 bits and an odd
 * factor that is enough, since only two states of one function are compared.
 */
static inline uint64_t mixed(uint64_t hash, uint64_t value)
{
	const uint64_t odd = 0x9e3779b97f4a7c15ULL;

	return (hash + value) * odd;
}

static inline uint64_t mixed_address(uint64_t hash, const void *address)
{
	return mixed(hash, (uintptr_t)address);
}

static uint64_t mixed_phi(uint64_t hash, gphi *phi)
{
	hash = mixed_address(hash, phi);
	for (unsigned i = 0, end = gimple_phi_num_args(phi); i < end; i++)
		hash = mixed_address(hash, phi->args[i].def);
	return hash;
}

/*
 * Whether an operand may have SSA names inside. If not, each operand is a name itself, or a
 * constant.
 */
static inline bool has_names_inside(gimple *statement)
{
	if (gimple_vuse(statement) || gimple_code(statement) == GIMPLE_ASM)
		return true;
	if (!is_gimple_assign(statement))
		return false;
	enum gimple_rhs_class kind = get_gimple_rhs_class((enum tree_code)statement->subcode);

	return kind != GIMPLE_UNARY_RHS && kind != GIMPLE_BINARY_RHS;
}

static uint64_t mixed_statement(uint64_t hash, gimple *statement)
{
	hash = mixed_address(hash, statement);
	hash = mixed(hash, (uint64_t)gimple_location(statement) << 32 | statement->subcode);
	if (gimple_has_ops(statement)) {
		const tree *operands = gimple_ops(statement);

		for (unsigned i = 0, end = gimple_num_ops(statement); i < end; i++)
			hash = mixed_address(hash, operands[i]);
	}
	if (!has_names_inside(statement))
		return hash;
	/* The virtual operand is among the uses; so is a name in a reference. */
	for (use_optype_p use = gimple_use_ops(statement); use; use = use->next)
		hash = mixed_address(hash, *USE_OP_PTR(use)->use);
	return hash;
}

uint64_t wp_body_hash(void)
{
	uint64_t hash = DECL_UID(current_function_decl);
	basic_block block;

	FOR_EACH_BB_FN(block, cfun)
	{
		hash = mixed_address(hash, block);
		for (gimple *phi = phi_nodes(block); phi; phi = phi->next)
			hash = mixed_phi(hash, as_a<gphi *>(phi));
		for (gimple_stmt_iterator i = gsi_start_bb(block); !gsi_end_p(i); gsi_next(&i)) {
			if (!is_gimple_debug(gsi_stmt(i)))
				hash = mixed_statement(hash, gsi_stmt(i));
		}
	}
	return hash ? hash : 1;
}

gimple *wp_lasting_statement(basic_block block)
{
	for (gimple_stmt_iterator i = gsi_start_bb(block); !gsi_end_p(i); gsi_next(&i)) {
		gimple *it = gsi_stmt(i);

		if (!is_gimple_debug(it) && !is_gimple_assign(it) &&
		    gimple_code(it) != GIMPLE_LABEL && gimple_code(it) != GIMPLE_COND &&
		    gimple_has_side_effects(it))
			return it;
	}
	return NULL;
}
