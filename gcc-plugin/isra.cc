// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Loads that IPA-SRA moves: a local function that only reads p->m gets the value of p->m as its
 * argument, and its callers load it. Before the inter-procedural passes, the loads through each
 * parameter of a local function are noted with their offset. In a caller, the arguments of a call
 * to the changed function are loads at that offset.
 */
#include "gcc-compat.h"
#include "lowered.h"
#include "reference.h"

/* Sets of accesses: which one load has to do for the callee. */
struct moved {
	unsigned access;
	unsigned next; /* index in moves; 0 ends the list */
};

static vec<moved> moves;
static struct wp_map by_parameter; /* function, index, offset, type -> index in moves */

static uint64_t key_of(tree function, unsigned index, int byte, tree type)
{
	return wp_key((uint64_t)DECL_UID(function) << 16 | index, byte,
		      TYPE_UID(TYPE_MAIN_VARIANT(type)));
}

/* The index of the parameter of the current function that a pointer is; -1 if it is none. */
static int parameter_of(tree pointer)
{
	int index = 0;

	if (TREE_CODE(pointer) != SSA_NAME || !SSA_NAME_IS_DEFAULT_DEF(pointer) ||
	    !SSA_NAME_VAR(pointer) || TREE_CODE(SSA_NAME_VAR(pointer)) != PARM_DECL)
		return -1;
	for (tree at = DECL_ARGUMENTS(current_function_decl); at; at = DECL_CHAIN(at), index++) {
		if (at == SSA_NAME_VAR(pointer))
			return index;
	}
	return -1;
}

static void note_load(gimple *statement)
{
	enum weft_access_effect effect;
	tree reference = wp_memory_of(statement, &effect), base = reference;
	wp_bits bits;

	if (!reference || effect != WEFT_EFFECT_LOAD)
		return;
	while (handled_component_p(base))
		base = TREE_OPERAND(base, 0);
	int index = TREE_CODE(base) == MEM_REF ? parameter_of(TREE_OPERAND(base, 0)) : -1;

	if (index < 0 || !wp_bits_init(&bits, reference) || bits.first == WP_NO_BIT ||
	    bits.first % BITS_PER_UNIT)
		return;
	unsigned access = wp_access_of_reference(statement, reference, WEFT_EFFECT_LOAD);

	/* The caller may count from elsewhere: a part of the member would not tell where it is. */
	if (!access || wp_accesses[access].extent.count != bits.count)
		return;
	unsigned *at = wp_map_at(&by_parameter,
				 key_of(current_function_decl, index, bits.first / BITS_PER_UNIT,
					TREE_TYPE(reference)));

	if (!moves.length())
		moves.safe_push({ 0, 0 });
	moves.safe_push({ access, *at });
	*at = moves.length() - 1;
}

/* The statement that loads an argument only for this call; NULL if there is none. */
static gimple *load_of(gimple *call, tree argument)
{
	if (TREE_CODE(argument) != SSA_NAME || !has_single_use(argument))
		return NULL;
	gimple *load = SSA_NAME_DEF_STMT(argument);

	return is_gimple_assign(load) && gimple_bb(load) == gimple_bb(call) ? load : NULL;
}

static void note_argument(gimple *call, unsigned argument, tree function,
			  const ipa_adjusted_param *parameter)
{
	enum weft_access_effect effect;
	gimple *load = load_of(call, gimple_call_arg(call, argument));
	tree reference = load ? wp_memory_of(load, &effect) : NULL_TREE;

	if (!reference || effect != WEFT_EFFECT_LOAD)
		return;
	unsigned at = wp_map_get(&by_parameter, key_of(function, parameter->base_index,
						       parameter->unit_offset, parameter->type));

	/* Reads of several members of a union may be one load. */
	for (unsigned i = at; i; i = moves[i].next) {
		if (wp_accesses[moves[i].access].field != wp_accesses[moves[at].access].field)
			return;
	}
	for (unsigned i = at; i; i = moves[i].next)
		wp_lowered_add(load, reference, WEFT_EFFECT_LOAD, moves[i].access, false);
}

static void note_call(gimple *call)
{
	tree function = gimple_call_fndecl(call);
	cgraph_node *node = function ? cgraph_node::get(function) : NULL;
	clone_info *info = node ? clone_info::get(node) : NULL;

	if (!info || !info->param_adjustments || !info->param_adjustments->m_adj_params)
		return;
	vec<ipa_adjusted_param, va_gc> *parameters = info->param_adjustments->m_adj_params;

	for (unsigned i = 0; i < parameters->length() && i < gimple_call_num_args(call); i++) {
		const ipa_adjusted_param *parameter = &(*parameters)[i];

		if (parameter->op == IPA_PARAM_OP_SPLIT)
			note_argument(call, i, DECL_ORIGIN(function), parameter);
	}
}

/* Whether IPA-SRA may take a function's pointers away: it changes all calls with it. */
static bool may_change(tree function)
{
	if (TREE_PUBLIC(function))
		return false;
	for (tree at = DECL_ARGUMENTS(function); at; at = DECL_CHAIN(at)) {
		if (POINTER_TYPE_P(TREE_TYPE(at)))
			return true;
	}
	return false;
}

static void for_each_statement(function *function, void (*visit)(gimple *statement))
{
	basic_block block;

	FOR_EACH_BB_FN(block, function)
	{
		for (gimple_stmt_iterator i = gsi_start_bb(block); !gsi_end_p(i); gsi_next(&i))
			visit(gsi_stmt(i));
	}
}

static void visit_call(gimple *statement)
{
	if (is_gimple_call(statement))
		note_call(statement);
}

namespace
{
const pass_data callee_data = {
	GIMPLE_PASS, "weft_isra_callee", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0};
const pass_data caller_data = {
	GIMPLE_PASS, "weft_isra_caller", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0, 0};

class callee_pass : public gimple_opt_pass
{
      public:
	callee_pass(gcc::context *context) : gimple_opt_pass(callee_data, context)
	{
	}
	unsigned int execute(function *) final override;
};

unsigned int callee_pass::execute(function *function)
{
	if (flag_ipa_sra && may_change(function->decl))
		for_each_statement(function, note_load);
	return 0;
}

class caller_pass : public gimple_opt_pass
{
      public:
	caller_pass(gcc::context *context) : gimple_opt_pass(caller_data, context)
	{
	}
	unsigned int execute(function *) final override;
};

unsigned int caller_pass::execute(function *function)
{
	wp_lowered_clear();
	if (moves.length())
		for_each_statement(function, visit_call);
	return 0;
}
} // namespace

opt_pass *wp_isra_callee_pass_create(gcc::context *context)
{
	return new callee_pass(context);
}

opt_pass *wp_isra_caller_pass_create(gcc::context *context)
{
	return new caller_pass(context);
}
