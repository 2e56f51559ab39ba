// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where pointers come from, by their definitions in SSA. The pass runs right after each function
 * got its SSA form, before anything is inlined or optimized: then a pointer's definition still has
 * the member reference whose address it is. It notes the pointers of memory operands of asm
 * statements, of plain loads and stores, of arguments and of returned values.
 */
#include "gcc-compat.h"
#include "joinpoints.h"
#include "pointers.h"
#include "reference.h"

/* The maximum number of definitions that are followed for one pointer. */
#define DEFINITIONS_MAX 64

#define AMBIGUOUS UINT_MAX

vec<wp_pointer> wp_pointers;

static vec<wp_note> notes;
static struct wp_map pointer_numbers;
static struct wp_map note_numbers; /* key of a note -> index in notes, or AMBIGUOUS */

/*
 * Of the current function: SSA version -> 1 + index in wp_pointers. AMBIGUOUS: it is being
 * computed.
 */
static vec<unsigned> chased;

/* Of the current function: SSA versions and parameters that were passed to a call. */
static struct wp_map passed;

static unsigned chase(tree value, unsigned depth);

unsigned wp_pointer_number(const wp_pointer *it)
{
	uint64_t key = wp_key(wp_key(it->access, it->parameter, it->object + 1),
			      wp_key(it->callee, it->call, 1),
			      (uint64_t)(unsigned)it->offset << 1 | it->varies);

	if (!it->access && !it->parameter && !it->callee)
		return 0;
	unsigned *at = wp_map_at(&pointer_numbers, key);

	if (!*at) {
		if (!wp_pointers.length())
			wp_pointers.safe_push(wp_pointer());
		*at = wp_pointers.length();
		wp_pointers.safe_push(*it);
	}
	return *at;
}

static unsigned moved(unsigned number, HOST_WIDE_INT bytes, bool varies)
{
	if (!number)
		return 0;
	wp_pointer to = wp_pointers[number];

	to.varies |= varies;
	if (bytes <= -INT_MAX / 4 || bytes >= INT_MAX / 4 || abs(to.offset) >= INT_MAX / 4)
		return 0;
	to.offset += (int)bytes;
	return wp_pointer_number(&to);
}

/*
 * The pointer to the memory of a reference, with the reference's own offset added. *@bits_ret: the
 * size of the reference in bits; 0: unknown.
 */
static unsigned pointer_to(tree reference, int *bits_ret, unsigned depth)
{
	poly_int64 first, count, most;
	HOST_WIDE_INT bits, size;
	poly_int64 bytes;
	bool reverse;
	tree base = get_ref_base_and_extent(reference, &first, &count, &most, &reverse);
	bool varies = !known_eq(count, most);

	*bits_ret = count.is_constant(&size) && size > 0 && size < INT_MAX ? (int)size : 0;
	if (!base || TREE_CODE(base) != MEM_REF || !mem_ref_offset(base).to_shwi(&bytes))
		return 0;
	first += bytes * BITS_PER_UNIT;
	if (!first.is_constant(&bits) || bits % BITS_PER_UNIT)
		return 0;
	return moved(chase(TREE_OPERAND(base, 0), depth), bits / BITS_PER_UNIT, varies);
}

/* The pointer that a chain of members begins with: p of `p->a.b`. */
static unsigned object_of(tree reference, unsigned depth)
{
	tree base = get_base_address(reference);
	poly_int64 bytes;
	HOST_WIDE_INT constant;

	if (!base || TREE_CODE(base) != MEM_REF || !mem_ref_offset(base).to_shwi(&bytes) ||
	    !bytes.is_constant(&constant))
		return 0;
	return moved(chase(TREE_OPERAND(base, 0), depth), constant, false);
}

/*
 * The access of the member that a reference names, by the reference's or the statement's location.
 */
static unsigned own_access(tree reference, location_t where, enum weft_access_effect effect)
{
	unsigned access = 0;

	while (TREE_CODE(reference) == ARRAY_REF)
		reference = TREE_OPERAND(reference, 0);
	if (TREE_CODE(reference) != COMPONENT_REF || !DECL_NAME(TREE_OPERAND(reference, 1)))
		return 0;
	if (EXPR_HAS_LOCATION(reference))
		access = wp_access_find(wp_pure(EXPR_LOCATION(reference)), reference, effect);
	return access ? access : wp_access_find(wp_pure(where), reference, effect);
}

/* Returns the pointer (index in wp_pointers) that is the address of @reference. */
static unsigned address_of(tree reference, location_t where, unsigned depth)
{
	poly_int64 first, count, most, member_first, member_count, member_most;
	tree member = reference;
	HOST_WIDE_INT inside;
	wp_pointer to = {};
	bool reverse;
	int unused;

	while (TREE_CODE(member) == ARRAY_REF)
		member = TREE_OPERAND(member, 0);
	/* `*(volatile int *)&v->counter = i` takes the address, and is captured as a set. */
	to.access = own_access(member, where, WEFT_EFFECT_LOAD);
	if (!to.access)
		to.access = own_access(member, where, WEFT_EFFECT_STORE);
	if (!to.access)
		return pointer_to(reference, &unused, depth);
	to.object = object_of(member, depth);
	get_ref_base_and_extent(reference, &first, &count, &most, &reverse);
	get_ref_base_and_extent(member, &member_first, &member_count, &member_most, &reverse);
	if (member != reference && !known_eq(count, most))
		to.varies = true;
	else if ((first - member_first).is_constant(&inside) && inside < INT_MAX / 4)
		to.offset = (int)(inside / BITS_PER_UNIT);
	return wp_pointer_number(&to);
}

/* The pointer that all arguments of a PHI are; 0 if they differ. */
static unsigned chase_phi(gphi *phi, unsigned depth)
{
	unsigned all = 0;

	for (unsigned i = 0; i < gimple_phi_num_args(phi); i++) {
		unsigned one = chase(gimple_phi_arg_def(phi, i), depth);

		if (!one || (all && one != all))
			return 0;
		all = one;
	}
	return all;
}

static bool keeps_pointer(gimple *assign)
{
	tree from = TREE_TYPE(gimple_assign_rhs1(assign));
	tree to = TREE_TYPE(gimple_assign_lhs(assign));

	return gimple_assign_ssa_name_copy_p(assign) ||
	       (gimple_assign_cast_p(assign) && TREE_CODE(gimple_assign_rhs1(assign)) == SSA_NAME &&
		(POINTER_TYPE_P(from) || INTEGRAL_TYPE_P(from)) &&
		(POINTER_TYPE_P(to) || INTEGRAL_TYPE_P(to)) &&
		TYPE_PRECISION(from) == POINTER_SIZE && TYPE_PRECISION(to) == POINTER_SIZE);
}

static unsigned returned_by(gcall *call)
{
	tree callee = gimple_call_fndecl(call);
	wp_pointer to = {};

	if (!callee || gimple_location(call) == UNKNOWN_LOCATION)
		return 0;
	to.callee = DECL_UID(DECL_ORIGIN(callee));
	to.call = wp_pure(gimple_location(call));
	return wp_pointer_number(&to);
}

static unsigned chase_sum(tree pointer, tree added, unsigned depth)
{
	bool constant = TREE_CODE(added) == INTEGER_CST;

	return moved(chase(pointer, depth), constant ? (HOST_WIDE_INT)TREE_INT_CST_LOW(added) : 0,
		     !constant);
}

static unsigned chase_definition(tree name, unsigned depth)
{
	gimple *definition = SSA_NAME_DEF_STMT(name);
	tree variable = SSA_NAME_VAR(name);

	if (SSA_NAME_IS_DEFAULT_DEF(name)) {
		wp_pointer to = {};

		if (!variable || TREE_CODE(variable) != PARM_DECL)
			return 0;
		for (tree it = DECL_ARGUMENTS(cfun->decl); it; it = DECL_CHAIN(it)) {
			to.parameter++;
			if (it == variable)
				return wp_pointer_number(&to);
		}
		return 0;
	}
	if (gphi *phi = dyn_cast<gphi *>(definition))
		return chase_phi(phi, depth);
	if (gcall *call = dyn_cast<gcall *>(definition))
		return returned_by(call);
	if (!is_gimple_assign(definition))
		return 0;
	tree from = gimple_assign_rhs1(definition);

	switch (gimple_assign_rhs_code(definition)) {
	case ADDR_EXPR:
		return address_of(TREE_OPERAND(from, 0), gimple_location(definition), depth);
	case POINTER_PLUS_EXPR:
		return chase_sum(from, gimple_assign_rhs2(definition), depth);
	default:
		return keeps_pointer(definition) ? chase(from, depth) : 0;
	}
}

/* Where a pointer comes from, by its definitions in SSA. */
static unsigned chase(tree value, unsigned depth)
{
	if (depth > DEFINITIONS_MAX)
		return 0;
	if (TREE_CODE(value) == ADDR_EXPR)
		return address_of(TREE_OPERAND(value, 0), UNKNOWN_LOCATION, depth + 1);
	if (TREE_CODE(value) != SSA_NAME || SSA_NAME_VERSION(value) >= chased.length())
		return 0;
	unsigned version = SSA_NAME_VERSION(value);

	if (chased[version])
		return chased[version] == AMBIGUOUS ? 0 : chased[version] - 1;
	chased[version] = AMBIGUOUS;
	unsigned found = chase_definition(value, depth + 1);

	chased[version] = found + 1;
	return found;
}

/*
 * As chase(), for an operand of the statement at @where: such an operand may also be the address of
 * a variable's member, which has no SSA name.
 */
static unsigned chase_operand(tree value, location_t where)
{
	return TREE_CODE(value) == ADDR_EXPR ? address_of(TREE_OPERAND(value, 0), where, 0)
					     : chase(value, 0);
}

uint64_t wp_note_key(enum wp_note_kind kind, uint64_t where, uint64_t number)
{
	return wp_key(where, number, kind);
}

/* The key of argument number @argument, 0 for the first, of a call. */
uint64_t wp_note_argument_key(location_t where, unsigned callee, unsigned argument)
{
	return wp_note_key(WP_NOTE_ARGUMENT, where, (uint64_t)callee << 8 | (argument & 0xff));
}

static void add_note(uint64_t key, unsigned pointer, unsigned own, int bits,
		     unsigned flags = 0)
{
	wp_note note = { pointer, own, DECL_UID(DECL_ORIGIN(cfun->decl)), bits,
			 flags };
	unsigned *at = wp_map_at(&note_numbers, key);

	if (!*at) {
		if (!notes.length())
			notes.safe_push(wp_note());
		*at = notes.length();
		notes.safe_push(note);
		return;
	}
	if (*at == AMBIGUOUS)
		return;
	const wp_note *old = &notes[*at];

	if (old->pointer != pointer || old->own != own || old->bits != bits ||
	    old->function != note.function || old->flags != note.flags)
		*at = AMBIGUOUS;
}

const wp_note *wp_note_find(uint64_t key)
{
	unsigned number = wp_map_get(&note_numbers, key);

	return number && number != AMBIGUOUS ? &notes[number] : NULL;
}

static bool is_memory(tree operand)
{
	return handled_component_p(operand) || TREE_CODE(operand) == MEM_REF;
}

static void note_asm(gasm *statement)
{
	unsigned outputs = gimple_asm_noutputs(statement);
	unsigned all = outputs + gimple_asm_ninputs(statement);
	location_t where = gimple_location(statement);

	for (unsigned i = 0; i < all; i++) {
		tree operand =
			TREE_VALUE(i < outputs ? gimple_asm_output_op(statement, i)
					       : gimple_asm_input_op(statement, i - outputs));
		enum weft_access_effect role = i < outputs ? WEFT_EFFECT_STORE : WEFT_EFFECT_LOAD;
		int bits;

		if (!is_memory(operand))
			continue;
		unsigned own = own_access(operand, where, role);
		unsigned pointer = pointer_to(operand, &bits, 0);

		add_note(wp_note_key(WP_NOTE_ASM, wp_pure(where), i), pointer, own, bits);
	}
}

/*
 * `*(volatile int *)&v->counter` is captured as an access of counter. If *@pointer is that address,
 * returns the access, and sets *@pointer to the same address in terms of v.
 */
static unsigned as_member(unsigned *pointer)
{
	if (!*pointer)
		return 0;
	const wp_pointer *it = &wp_pointers[*pointer];
	unsigned own = it->access;

	if (!own || wp_accesses[own].kind == WEFT_KIND_ADDRESS || it->offset || it->varies)
		return 0;
	int first = wp_accesses[own].extent.first;

	*pointer = first == WP_NO_BIT ? moved(it->object, 0, true)
				      : moved(it->object, first / BITS_PER_UNIT, false);
	return own;
}

/* Notes a plain load or store of a member, or of the memory that a pointer points to. */
static void note_reference(gimple *statement, tree reference, enum weft_access_effect role)
{
	enum wp_note_kind kind = role == WEFT_EFFECT_LOAD ? WP_NOTE_LOAD : WP_NOTE_STORE;
	location_t where = gimple_location(statement);
	unsigned pointer, own;
	int bits;

	if (!is_memory(reference))
		return;
	if (!is_gimple_reg_type(TREE_TYPE(reference)))
		return wp_reference_note_copied(where);
	pointer = pointer_to(reference, &bits, 0);
	if (TREE_CODE(reference) == MEM_REF) {
		add_note(wp_note_key(kind, wp_pure(where), 0), pointer, 0, bits);
		own = as_member(&pointer);
	} else {
		own = own_access(reference, where, role);
	}
	if (own)
		add_note(wp_note_key(WP_NOTE_MEMBER, own, 0), pointer, own, bits);
	else if (TREE_CODE(reference) == BIT_FIELD_REF)
		own = wp_access_of_reference(statement, reference, role);
	wp_reference_note(where, bits, role, own);
}

static bool is_atomic_builtin(tree callee)
{
	const char *name;

	if (!fndecl_built_in_p(callee, BUILT_IN_NORMAL) || !DECL_NAME(callee))
		return false;
	name = IDENTIFIER_POINTER(DECL_NAME(callee));
	return !strncmp(name, "__atomic_", 9) || !strncmp(name, "__sync_", 7);
}

/* Whether arguments of this type are passed in a register, one for each. */
static bool takes_register(tree type)
{
	return (POINTER_TYPE_P(type) || INTEGRAL_TYPE_P(type)) && TYPE_PRECISION(type) <= 64;
}

/* Whether a call's integers and pointers are passed as the System V ABI for x86-64 says. */
static bool passes_in_registers(tree callee)
{
	tree type = TREE_TYPE(callee);

	return POINTER_SIZE == 64 && !stdarg_p(type) && prototype_p(type) &&
	       !aggregate_value_p(TREE_TYPE(type), type) &&
	       !lookup_attribute("ms_abi", TYPE_ATTRIBUTES(type));
}

/* Whether @block runs whenever the function runs: nothing branches before it. */
static bool is_always_done(basic_block block)
{
	basic_block at = single_succ(ENTRY_BLOCK_PTR_FOR_FN(cfun));

	for (unsigned i = 0; at != block; i++) {
		if (i == DEFINITIONS_MAX || !single_succ_p(at))
			return false;
		at = single_succ(at);
	}
	return true;
}

/* The SSA name or the constant that an argument is a copy of. */
static tree copied_from(tree value)
{
	for (unsigned i = 0; i < DEFINITIONS_MAX && TREE_CODE(value) == SSA_NAME; i++) {
		gimple *definition = SSA_NAME_DEF_STMT(value);

		if (!is_gimple_assign(definition) || !keeps_pointer(definition))
			break;
		value = gimple_assign_rhs1(definition);
	}
	return value;
}

/* The parameter that a pointer is made of; 0 if it is made of none. */
static unsigned parameter_of(unsigned pointer)
{
	for (unsigned i = 0; pointer && i < DEFINITIONS_MAX; i++) {
		if (wp_pointers[pointer].parameter)
			return wp_pointers[pointer].parameter;
		pointer = wp_pointers[pointer].object;
	}
	return 0;
}

/*
 * The WP_ARGUMENT_AS_... flags of an argument. If the address is computed in the block of the call,
 * it is taken for the first call that passes it.
 */
static unsigned taken_flags(gcall *call, tree argument, unsigned pointer)
{
	tree from = copied_from(argument);
	unsigned parameter = parameter_of(pointer), flags = 0;

	if (TREE_CODE(from) == ADDR_EXPR) {
		flags = WP_ARGUMENT_AS_TAKEN;
	} else if (TREE_CODE(from) == SSA_NAME && wp_pointers[pointer].access) {
		unsigned version = SSA_NAME_VERSION(from);

		if (gimple_bb(SSA_NAME_DEF_STMT(from)) == gimple_bb(call) &&
		    !wp_map_get(&passed, wp_key(version, 1, 0)))
			flags = WP_ARGUMENT_AS_TAKEN;
		*wp_map_at(&passed, wp_key(version, 1, 0)) = 1;
	}
	if (parameter && !wp_map_get(&passed, wp_key(parameter, 2, 0)) &&
	    is_always_done(gimple_bb(call)))
		flags |= WP_ARGUMENT_AS_ENTERED;
	if (parameter)
		*wp_map_at(&passed, wp_key(parameter, 2, 0)) = 1;
	return flags;
}

static void note_arguments(gcall *call, tree callee, location_t where)
{
	unsigned uid = DECL_UID(DECL_ORIGIN(callee));
	bool in_registers = passes_in_registers(callee);

	for (unsigned i = 0; i < gimple_call_num_args(call); i++) {
		tree argument = gimple_call_arg(call, i);
		unsigned flags = 0;

		in_registers &= takes_register(TREE_TYPE(argument));
		if (!POINTER_TYPE_P(TREE_TYPE(argument)))
			continue;
		unsigned pointer = chase_operand(argument, where);

		if (pointer)
			flags = taken_flags(call, argument, pointer) |
				(in_registers ? WP_ARGUMENT_IN_REGISTER : 0);
		add_note(wp_note_argument_key(where, uid, i), pointer, 0, 0, flags);
	}
}

/*
 * Whether a call may become a copy of memory: it is memcpy() or the like, or it passes a struct.
 * Then loads and stores of parts of that memory get its location.
 */
static bool copies_memory(gcall *call)
{
	if (gimple_call_builtin_p(call, BUILT_IN_NORMAL))
		return true;
	for (unsigned i = 0; i < gimple_call_num_args(call); i++) {
		if (is_memory(gimple_call_arg(call, i)))
			return true;
	}
	return gimple_call_lhs(call) && is_memory(gimple_call_lhs(call));
}

static void note_call(gcall *call)
{
	tree callee = gimple_call_fndecl(call);
	location_t where = wp_pure(gimple_location(call));

	if (copies_memory(call))
		wp_reference_note_copied(where);
	/* A call through a pointer: its arguments' parameters are not known. */
	if (!callee || where == UNKNOWN_LOCATION)
		return;
	if (is_atomic_builtin(callee) && gimple_call_num_args(call)) {
		add_note(wp_note_key(WP_NOTE_BUILTIN, where, 0),
			 chase_operand(gimple_call_arg(call, 0), where), 0, 0);
		return;
	}
	note_arguments(call, callee, where);
}

static void note_statement(gimple *statement)
{
	if (gasm *it = dyn_cast<gasm *>(statement)) {
		note_asm(it);
	} else if (gcall *call = dyn_cast<gcall *>(statement)) {
		note_call(call);
	} else if (greturn *end = dyn_cast<greturn *>(statement)) {
		tree value = gimple_return_retval(end);

		if (value && POINTER_TYPE_P(TREE_TYPE(value)))
			add_note(wp_note_key(WP_NOTE_RETURN, DECL_UID(DECL_ORIGIN(cfun->decl)), 0),
				 chase(value, 0), 0, 0);
	} else if (gimple_assign_single_p(statement)) {
		note_reference(statement, gimple_assign_rhs1(statement), WEFT_EFFECT_LOAD);
		note_reference(statement, gimple_assign_lhs(statement), WEFT_EFFECT_STORE);
	}
}

namespace
{
const pass_data pointers_data = {
	GIMPLE_PASS, "weft_pointers", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0
};

class pointers_pass : public gimple_opt_pass
{
      public:
	pointers_pass(gcc::context *context) : gimple_opt_pass(pointers_data, context)
	{
	}
	unsigned int execute(function *) final override;
};

unsigned int pointers_pass::execute(function *function)
{
	basic_block block;

	wp_map_clear(&passed);
	chased.truncate(0);
	chased.safe_grow_cleared(num_ssa_names);
	FOR_EACH_BB_FN(block, function)
	{
		for (gimple_stmt_iterator i = gsi_start_bb(block); !gsi_end_p(i); gsi_next(&i))
			note_statement(gsi_stmt(i));
	}
	return 0;
}
} // namespace

opt_pass *wp_pointers_pass_create(gcc::context *context)
{
	return new pointers_pass(context);
}
