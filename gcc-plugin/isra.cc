// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Loads that IPA-SRA moves: a local function that only reads p->m gets the value of p->m as its
 * argument, and its callers load it. Before that, the loads through each parameter of a local
 * function are noted with their offset. In a caller, the arguments of a call to the changed
 * function are loads at that offset. If the changed function was inlined there, its statement is
 * now a copy of what the caller has loaded:
 *
 *   before: _2 = q->m;   after: _45 = MEM[p + 8];  (without a location)
 *                               _47 = _45;         (with the location that the load had)
 */
#include "gcc-compat.h"
#include "lowered.h"
#include "reference.h"

/*
 * An access that a load in a callee does. If IPA-SRA moves the load, a load in the caller does the
 * access instead.
 */
struct moved {
	unsigned access;
	unsigned parameter; /* index of the parameter that the load goes through */
	int byte; /* offset of the load from the parameter, in bytes */
	unsigned next; /* index in moves of the next element; 0 ends the list */
};

/*
 * A load that IPA-SRA has made in the current function, for a function that was then inlined into
 * it. That function had a load of its own; in the place of its load there is now a copy of the
 * value that the new load has read.
 */
struct inlined {
	gimple *load; /* the load that IPA-SRA has made */
	tree reference, base; /* the memory that it reads: a pointer (an SSA_NAME) or a variable */
	int byte; /* offset of the memory from .base, in bytes */
	location_t where; /* of the copy: that of the old load, with the inlined function's block */
	/* index in moves of the list of accesses of the loads that were at .where */
	unsigned moves;
};

static vec<moved> moves;
static struct wp_map by_parameter; /* function, index, offset, type -> index in moves */
static struct wp_map by_location; /* location of the statement, type -> index in moves */
static vec<inlined> inlineds; /* those in the current function */
/* set of 1 + the DECL_UID of each function out of which IPA-SRA has moved loads */
static struct wp_map changed;

static uint64_t key_of(tree function, unsigned index, int byte, tree type)
{
	return wp_key((uint64_t)DECL_UID(function) << 16 | index, byte,
		      TYPE_UID(TYPE_MAIN_VARIANT(type)));
}

/*
 * All pointers count as one type, because a `void *` may be loaded into a variable of another
 * pointer type.
 */
static uint64_t location_key(location_t where, tree type)
{
	return wp_key(wp_pure(where), TYPE_UID(POINTER_TYPE_P(type) ? ptr_type_node
							      : TYPE_MAIN_VARIANT(type)), 0);
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

static void add_move(struct wp_map *map, uint64_t key, moved it)
{
	unsigned *at = wp_map_at(map, key);

	if (!moves.length())
		moves.safe_push({});
	it.next = *at;
	moves.safe_push(it);
	*at = moves.length() - 1;
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

	/*
	 * The caller may count from another pointer, so a load of only a part of the member would
	 * not show which part it is.
	 */
	if (!access || wp_accesses[access].extent.count != bits.count)
		return;
	moved it = { access, (unsigned)index, bits.first / BITS_PER_UNIT, 0 };

	add_move(&by_parameter,
		 key_of(current_function_decl, index, it.byte, TREE_TYPE(reference)), it);
	add_move(&by_location, location_key(gimple_location(statement), TREE_TYPE(reference)), it);
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

/*
 * Returns the function that a clone was made of: one of the source, or a part that GCC had split
 * off one.
 */
static tree original_of(const cgraph_node *node)
{
	while (node->clone_of)
		node = node->clone_of;
	return node->former_clone_of ? node->former_clone_of : node->decl;
}

void wp_isra_note_changed(cgraph_node *node)
{
	clone_info *info = clone_info::get(node);

	if (!info || !info->param_adjustments || !info->param_adjustments->m_adj_params)
		return;
	vec<ipa_adjusted_param, va_gc> *parameters = info->param_adjustments->m_adj_params;

	for (unsigned i = 0; i < parameters->length(); i++) {
		if ((*parameters)[i].op == IPA_PARAM_OP_SPLIT)
			*wp_map_at(&changed, DECL_UID(DECL_ORIGIN(original_of(node))) + 1ULL) = 1;
	}
}

bool wp_isra_has_changed(unsigned uid)
{
	return wp_map_get(&changed, uid + 1ULL);
}

/* Calls through a pointer are left out: IPA-SRA changes only functions whose calls it knows. */
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
			note_argument(call, i, original_of(node), parameter);
	}
}

/*
 * Finds the load, made by IPA-SRA, that defines @name, and stores it with its base and offset in
 * @ret. Returns false if there is none.
 */
static bool find_made_load(tree name, inlined *ret)
{
	enum weft_access_effect effect;
	HOST_WIDE_INT bytes;
	poly_int64 offset;

	if (TREE_CODE(name) != SSA_NAME || SSA_NAME_IS_DEFAULT_DEF(name))
		return false;
	ret->load = SSA_NAME_DEF_STMT(name);
	if (wp_pure(gimple_location(ret->load)) != UNKNOWN_LOCATION)
		return false;
	ret->reference = wp_memory_of(ret->load, &effect);
	if (!ret->reference || effect != WEFT_EFFECT_LOAD)
		return false;
	tree base = get_addr_base_and_unit_offset(ret->reference, &offset);

	if (!base || !offset.is_constant(&bytes))
		return false;
	if (TREE_CODE(base) == MEM_REF) {
		bytes += TREE_INT_CST_LOW(TREE_OPERAND(base, 1));
		base = TREE_OPERAND(base, 0);
	}
	ret->base = base;
	ret->byte = (int)bytes;
	return ret->byte == bytes && (TREE_CODE(base) == SSA_NAME || DECL_P(base));
}

static void note_copy(gimple *copy)
{
	inlined it = {};

	if (!gimple_assign_ssa_name_copy_p(copy) || !gimple_has_location(copy))
		return;
	it.where = gimple_location(copy);
	it.moves = wp_map_get(&by_location,
			      location_key(it.where, TREE_TYPE(gimple_assign_lhs(copy))));
	if (it.moves && find_made_load(gimple_assign_rhs1(copy), &it))
		inlineds.safe_push(it);
}

static bool has_move(unsigned list, unsigned parameter, int byte)
{
	for (; list; list = moves[list].next) {
		if (moves[list].parameter == parameter && moves[list].byte == byte)
			return true;
	}
	return false;
}

/*
 * Whether the caller's load @it may be the one of @move. @move counts its offset from the
 * parameter, @it from the caller's pointer or variable. The pointer must be the parameter's value;
 * in a variable, the parameter must have one address that fits all loads of this inlined call.
 */
static bool fits(const inlined *it, const moved *move)
{
	int parameter_at = it->byte - move->byte;

	if (TREE_CODE(it->base) == SSA_NAME)
		return !parameter_at;
	for (unsigned i = 0; i < inlineds.length(); i++) {
		const inlined *other = &inlineds[i];

		if (other->where == it->where && other->moves == it->moves &&
		    other->base == it->base &&
		    !has_move(it->moves, move->parameter, other->byte - parameter_at))
			return false;
	}
	return true;
}

/* Notes the access of a load, if only one fits. */
static void note_inlined(const inlined *it)
{
	unsigned access = 0;

	for (unsigned i = it->moves; i; i = moves[i].next) {
		if (!fits(it, &moves[i]) || moves[i].access == access)
			continue;
		if (access)
			return;
		access = moves[i].access;
	}
	if (access)
		wp_lowered_add(it->load, it->reference, WEFT_EFFECT_LOAD, access, false);
}

/*
 * Whether IPA-SRA may replace pointer parameters of a function: it must be able to change all
 * calls.
 */
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

static void visit_statement(gimple *statement)
{
	if (is_gimple_call(statement))
		note_call(statement);
	else
		note_copy(statement);
}

/* Runs when GCC has split functions, and before IPA-SRA. */
static void note_callees(void)
{
	cgraph_node *node;

	FOR_EACH_FUNCTION_WITH_GIMPLE_BODY(node)
	{
		function *function = DECL_STRUCT_FUNCTION(node->decl);

		if (!may_change(node->decl) || !function || !function->cfg)
			continue;
		push_cfun(function);
		for_each_statement(function, note_load);
		pop_cfun();
	}
}

namespace
{
const pass_data callee_data = {
	SIMPLE_IPA_PASS, "weft_isra_callee", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0};
const pass_data caller_data = {
	GIMPLE_PASS, "weft_isra_caller", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0, 0};

class callee_pass : public simple_ipa_opt_pass
{
      public:
	callee_pass(gcc::context *context) : simple_ipa_opt_pass(callee_data, context)
	{
	}
	unsigned int execute(function *) final override;
};

unsigned int callee_pass::execute(function *)
{
	if (flag_ipa_sra)
		note_callees();
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
	inlineds.truncate(0);
	if (moves.length())
		for_each_statement(function, visit_statement);
	for (unsigned i = 0; i < inlineds.length(); i++)
		note_inlined(&inlineds[i]);
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
