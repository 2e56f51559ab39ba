// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Accesses by address: `atomic_inc(&p->m)` takes the address of m, and an instruction of an inlined
 * function reads and writes m. This file knows which instruction that is.
 *
 * A pass right after each function got its SSA form, before anything is inlined, notes where the
 * pointers in it come from: those of memory operands of asm statements, of plain loads and stores,
 * and of arguments. Each is the address of a member that an access takes, or a parameter, plus an
 * offset; or nothing that helps. When an instruction is labelled, the blocks of its location say in
 * which function's body it was written and where that was inlined: so the parameter is replaced by
 * the argument, outwards, until the address is found. No optimization in between can mislead this.
 *
 * What is found is a derived access: that of kind `address` with the kind of what is done.
 */
#include "gcc-compat.h"
#include "joinpoints.h"
#include "by-address.h"

/* How many definitions or inlined calls are followed. */
#define FOLLOWED_MAX 64

/*
 * Wider members are whole structs, mostly: one member of such a struct is not the struct. An atomic
 * or bit operation on a part of a word is one on the word.
 */
#define WORD_BITS 64

/* More calls whose results are passed on to each other, as in `set_bit(nr, f(g(p)))`. */
#define CALLS_MAX 8

#define AMBIGUOUS UINT_MAX

/* Where a pointer comes from. pointers[0]: unknown. */
struct pointer {
	unsigned access; /* it is the address of this access's member; or 0 */
	unsigned parameter; /* it is the value of this parameter, 1 for the first; or 0 */
	unsigned callee; /* it is what this function (DECL_UID) returns; or 0 */
	location_t call; /* of .callee: where it is called */
	/* of .access: index in pointers of the pointer that its chain of members begins with */
	unsigned object;
	int offset; /* bytes that are added */
	bool varies; /* an unknown number is added, too */
};

/* An operand in memory, or an argument, of a statement as written. */
struct note {
	unsigned pointer; /* index in pointers */
	unsigned own; /* the access that the operand is by itself (`v->counter`); or 0 */
	unsigned function; /* DECL_UID of the function that has the statement in its source */
	int bits; /* the operand's size; 0 if unknown */
};

enum note_kind {
	NOTE_ASM = 1,
	NOTE_LOAD,
	NOTE_STORE,
	NOTE_BUILTIN,
	NOTE_MEMBER,
	NOTE_ARGUMENT,
	NOTE_RETURN,
};

static vec<pointer> pointers;
static vec<note> notes;
static struct wp_map pointer_numbers;
static struct wp_map note_numbers; /* key of a note -> index in notes, or AMBIGUOUS */
static struct wp_map derived; /* (access, kind) -> access */

/* Of the function that the pass is in: SSA version -> 1 + index in pointers; AMBIGUOUS: at it. */
static vec<unsigned> chased;

static unsigned chase(tree value, unsigned depth);

static unsigned pointer_number(const pointer *it)
{
	uint64_t key = wp_key(wp_key(it->access, it->parameter, it->object + 1),
			      wp_key(it->callee, it->call, 1),
			      (uint64_t)(unsigned)it->offset << 1 | it->varies);

	if (!it->access && !it->parameter && !it->callee)
		return 0;
	unsigned *at = wp_map_at(&pointer_numbers, key);

	if (!*at) {
		if (!pointers.length())
			pointers.safe_push(pointer());
		*at = pointers.length();
		pointers.safe_push(*it);
	}
	return *at;
}

static unsigned moved(unsigned number, HOST_WIDE_INT bytes, bool varies)
{
	if (!number)
		return 0;
	pointer to = pointers[number];

	to.varies |= varies;
	if (bytes <= -INT_MAX / 4 || bytes >= INT_MAX / 4 || abs(to.offset) >= INT_MAX / 4)
		return 0;
	to.offset += (int)bytes;
	return pointer_number(&to);
}

/*
 * The pointer to the memory that a reference is to, the reference's own offset included.
 * *@bits_ret: how many bits it has.
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

/* The access of the member that a reference names, by the reference's or the statement's place. */
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

/* The pointer that `&reference` is. */
static unsigned address_of(tree reference, location_t where, unsigned depth)
{
	poly_int64 first, count, most, member_first, member_count, member_most;
	tree member = reference;
	HOST_WIDE_INT inside;
	pointer to = {};
	bool reverse;
	int unused;

	while (TREE_CODE(member) == ARRAY_REF)
		member = TREE_OPERAND(member, 0);
	to.access = own_access(member, where, WEFT_EFFECT_LOAD);
	if (!to.access)
		return pointer_to(reference, &unused, depth);
	to.object = object_of(member, depth);
	get_ref_base_and_extent(reference, &first, &count, &most, &reverse);
	get_ref_base_and_extent(member, &member_first, &member_count, &member_most, &reverse);
	if (member != reference && !known_eq(count, most))
		to.varies = true;
	else if ((first - member_first).is_constant(&inside) && inside < INT_MAX / 4)
		to.offset = (int)(inside / BITS_PER_UNIT);
	return pointer_number(&to);
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
	pointer to = {};

	if (!callee || gimple_location(call) == UNKNOWN_LOCATION)
		return 0;
	to.callee = DECL_UID(DECL_ORIGIN(callee));
	to.call = wp_pure(gimple_location(call));
	return pointer_number(&to);
}

static unsigned chase_sum(tree pointer, tree added, unsigned depth)
{
	bool constant = TREE_CODE(added) == INTEGER_CST;

	return moved(chase(pointer, depth),
		     constant ? (HOST_WIDE_INT)TREE_INT_CST_LOW(added) : 0, !constant);
}

static unsigned chase_definition(tree name, unsigned depth)
{
	gimple *definition = SSA_NAME_DEF_STMT(name);
	tree variable = SSA_NAME_VAR(name);

	if (SSA_NAME_IS_DEFAULT_DEF(name)) {
		pointer to = {};

		if (!variable || TREE_CODE(variable) != PARM_DECL)
			return 0;
		for (tree it = DECL_ARGUMENTS(cfun->decl); it; it = DECL_CHAIN(it)) {
			to.parameter++;
			if (it == variable)
				return pointer_number(&to);
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
	if (depth > FOLLOWED_MAX)
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

static uint64_t note_key(enum note_kind kind, uint64_t where, uint64_t number)
{
	return wp_key(where, number, kind);
}

/* The key of argument number @argument, 0 for the first, of a call. */
static uint64_t argument_key(location_t where, unsigned callee, unsigned argument)
{
	return note_key(NOTE_ARGUMENT, where, (uint64_t)callee << 8 | (argument & 0xff));
}

static void add_note(uint64_t key, unsigned pointer, unsigned own, int bits)
{
	note note = { pointer, own, DECL_UID(DECL_ORIGIN(cfun->decl)), bits };
	unsigned *at = wp_map_at(&note_numbers, key);

	if (!*at) {
		if (!notes.length())
			notes.safe_push(::note());
		*at = notes.length();
		notes.safe_push(note);
		return;
	}
	if (*at == AMBIGUOUS)
		return;
	const ::note *old = &notes[*at];

	if (old->pointer != pointer || old->own != own || old->bits != bits ||
	    old->function != note.function)
		*at = AMBIGUOUS;
}

static const note *find_note(uint64_t key)
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
		tree operand = TREE_VALUE(i < outputs
						  ? gimple_asm_output_op(statement, i)
						  : gimple_asm_input_op(statement, i - outputs));
		enum weft_access_effect role =
			i < outputs ? WEFT_EFFECT_STORE : WEFT_EFFECT_LOAD;
		int bits;

		if (!is_memory(operand))
			continue;
		unsigned own = own_access(operand, where, role);
		unsigned pointer = pointer_to(operand, &bits, 0);

		add_note(note_key(NOTE_ASM, wp_pure(where), i), pointer, own, bits);
	}
}

/*
 * `*(volatile int *)&v->counter` is captured as an access of counter. If *@pointer is that address,
 * returns the access, and makes *@pointer what the address is in terms of v.
 */
static unsigned as_member(unsigned *pointer)
{
	const struct pointer *it = &pointers[*pointer];
	unsigned own = *pointer ? it->access : 0;

	if (!own || wp_accesses[own].kind == WEFT_KIND_ADDRESS || it->offset || it->varies)
		return 0;
	int first = wp_accesses[own].extent.first;

	*pointer = first == WP_NO_BIT ? moved(it->object, 0, true)
				      : moved(it->object, first / BITS_PER_UNIT, false);
	return own;
}

/* A plain load or store: of a member, or of what a pointer points to. */
static void note_reference(tree reference, location_t where, enum weft_access_effect role)
{
	enum note_kind kind = role == WEFT_EFFECT_LOAD ? NOTE_LOAD : NOTE_STORE;
	unsigned pointer, own;
	int bits;

	if (!is_memory(reference) || is_gimple_reg_type(TREE_TYPE(reference)) == 0)
		return;
	pointer = pointer_to(reference, &bits, 0);
	if (TREE_CODE(reference) == MEM_REF) {
		add_note(note_key(kind, wp_pure(where), 0), pointer, 0, bits);
		own = as_member(&pointer);
	} else {
		own = own_access(reference, where, role);
	}
	if (own)
		add_note(note_key(NOTE_MEMBER, own, 0), pointer, own, bits);
}

static bool is_atomic_builtin(tree callee)
{
	const char *name;

	if (!fndecl_built_in_p(callee, BUILT_IN_NORMAL) || !DECL_NAME(callee))
		return false;
	name = IDENTIFIER_POINTER(DECL_NAME(callee));
	return !strncmp(name, "__atomic_", 9) || !strncmp(name, "__sync_", 7);
}

static void note_call(gcall *call)
{
	tree callee = gimple_call_fndecl(call);
	location_t where = wp_pure(gimple_location(call));

	if (!callee || where == UNKNOWN_LOCATION)
		return;
	if (is_atomic_builtin(callee) && gimple_call_num_args(call)) {
		add_note(note_key(NOTE_BUILTIN, where, 0), chase(gimple_call_arg(call, 0), 0), 0,
			 0);
		return;
	}
	for (unsigned i = 0; i < gimple_call_num_args(call); i++) {
		tree argument = gimple_call_arg(call, i);
		unsigned uid = DECL_UID(DECL_ORIGIN(callee));

		if (POINTER_TYPE_P(TREE_TYPE(argument)))
			add_note(argument_key(where, uid, i),
				 chase(argument, 0), 0, 0);
	}
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
			add_note(note_key(NOTE_RETURN, DECL_UID(DECL_ORIGIN(cfun->decl)), 0),
				 chase(value, 0), 0, 0);
	} else if (gimple_assign_single_p(statement)) {
		location_t where = gimple_location(statement);

		note_reference(gimple_assign_rhs1(statement), where, WEFT_EFFECT_LOAD);
		note_reference(gimple_assign_lhs(statement), where, WEFT_EFFECT_STORE);
	}
}

namespace
{
const pass_data by_address_data = {
	GIMPLE_PASS, "weft_by_address", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0};

class by_address_pass : public gimple_opt_pass
{
      public:
	by_address_pass(gcc::context *context) : gimple_opt_pass(by_address_data, context)
	{
	}
	unsigned int execute(function *) final override;
};

unsigned int by_address_pass::execute(function *function)
{
	basic_block block;

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

opt_pass *wp_by_address_pass_create(gcc::context *context)
{
	return new by_address_pass(context);
}

/* The access of @kind to the member whose address @access takes. */
static unsigned derive(unsigned access, enum weft_kind kind)
{
	if (wp_accesses[access].kind == kind)
		return access;
	unsigned *at = wp_map_at(&derived, wp_key(access, kind, 0));

	if (*at)
		return *at;
	wp_access copy = wp_accesses[access];

	copy.kind = kind;
	copy.whole = 0;
	copy.labelled = false;
	*at = wp_accesses.length();
	wp_accesses.safe_push(copy);
	return *at;
}

/* The outer block of the innermost inlined function that @block is in; NULL if it is in none. */
static tree inlined_scope(tree block)
{
	for (; block && TREE_CODE(block) == BLOCK; block = BLOCK_SUPERCONTEXT(block)) {
		if (inlined_function_outer_scope_p(block))
			return block;
	}
	return NULL_TREE;
}

static tree function_of_scope(tree scope)
{
	tree function = scope ? block_ultimate_origin(scope) : cfun->decl;

	return function && TREE_CODE(function) == FUNCTION_DECL ? DECL_ORIGIN(function) : NULL_TREE;
}

/*
 * The inlined instance around @where, the innermost, of the function that has DECL_UID @uid. False
 * if there is none. *@scope_ret: its outer block; NULL for the function that is compiled.
 */
static bool instance_of(location_t where, unsigned uid, tree *scope_ret)
{
	tree scope = inlined_scope(LOCATION_BLOCK(where));

	for (;; scope = inlined_scope(BLOCK_SUPERCONTEXT(scope))) {
		tree function = function_of_scope(scope);

		*scope_ret = scope;
		if (function && DECL_UID(function) == uid)
			return true;
		if (!scope)
			return false;
	}
}

static unsigned argument_at(location_t where, unsigned callee, unsigned parameter)
{
	const note *note = find_note(argument_key(where, callee, parameter - 1));

	return note ? note->pointer : 0;
}

/*
 * The pointer that is passed as parameter number @parameter to the function inlined in @scope.
 * *@scope_ret: the instance that calls it.
 */
static unsigned inlined_argument(tree scope, unsigned parameter, tree *scope_ret)
{
	tree function = function_of_scope(scope);
	unsigned passed;
	pointer same = {};

	*scope_ret = inlined_scope(BLOCK_SUPERCONTEXT(scope));
	if (!function)
		return 0;
	passed = argument_at(wp_pure(BLOCK_SOURCE_LOCATION(scope)), DECL_UID(function), parameter);
	if (passed || function_of_scope(*scope_ret) != function)
		return passed;
	/* A part that was split off a function, and is inlined into the rest, has its parameters. */
	same.parameter = parameter;
	return pointer_number(&same);
}

/* The memory that is accessed, while its pointer is followed outwards. */
struct accessed {
	HOST_WIDE_INT offset;
	bool varies;
	int bits;
	bool part; /* a part of a word is the word */
	tree scope; /* the inlined instance that has the pointer; NULL: the compiled function */
	/* the calls, of the instance and of each other, whose returned pointers were followed */
	struct {
		unsigned callee;
		location_t where;
	} calls[CALLS_MAX];
	unsigned call_count;
};

/* Replaces a parameter or a call by what is passed or returned. 0 if that is not known. */
static unsigned step(accessed *at, const pointer *it)
{
	if (it->callee) {
		const note *note = find_note(note_key(NOTE_RETURN, it->callee, 0));

		if (!note || at->call_count == CALLS_MAX)
			return 0;
		at->calls[at->call_count++] = { it->callee, it->call };
		return note->pointer;
	}
	if (at->call_count--)
		return argument_at(at->calls[at->call_count].where,
				   at->calls[at->call_count].callee, it->parameter);
	at->call_count = 0;
	return at->scope ? inlined_argument(at->scope, it->parameter, &at->scope) : 0;
}

/* Whether what is accessed is the member, an element of it, or a part of a word of it. */
static bool fits(const wp_extent *extent, const accessed *at)
{
	HOST_WIDE_INT first = at->offset * BITS_PER_UNIT;

	if (!extent->count || extent->bit_field || first < 0 || first >= extent->count ||
	    first + at->bits > extent->count)
		return false;
	if (at->bits == extent->count)
		return !first && !at->varies;
	if (at->bits == extent->element)
		return at->varies || !(first % extent->element);
	return at->part && extent->element <= WORD_BITS;
}

static void follow(unsigned number, accessed at, enum weft_kind kind,
		   void (*found)(unsigned access, void *data), void *data)
{
	for (unsigned i = 0; number && i < FOLLOWED_MAX; i++) {
		const pointer it = pointers[number];

		at.offset += it.offset;
		at.varies |= it.varies;
		if (!it.access) {
			number = step(&at, &it);
			continue;
		}
		int first = wp_accesses[it.access].extent.first;

		if (!fits(&wp_accesses[it.access].extent, &at))
			return;
		number = it.object;
		for (unsigned access = it.access; access; access = wp_accesses[access].whole)
			found(derive(access, kind), data);
		if (first == WP_NO_BIT)
			at.varies = true;
		else
			at.offset += first / BITS_PER_UNIT;
	}
}

static enum weft_kind kind_of(enum weft_access_effect effect)
{
	return effect == WEFT_EFFECT_LOAD    ? WEFT_KIND_GET
	       : effect == WEFT_EFFECT_STORE ? WEFT_KIND_SET
					     : WEFT_KIND_RMW;
}

static bool follow_note(const note *note, location_t where, accessed at, enum weft_kind kind,
			void (*found)(unsigned access, void *data), void *data)
{
	if (!note || !instance_of(where, note->function, &at.scope))
		return false;
	for (unsigned access = note->own; access; access = wp_accesses[access].whole)
		found(access, data);
	if (!at.bits)
		at.bits = note->bits;
	follow(note->pointer, at, kind, found, data);
	return note->own || note->pointer;
}

bool wp_by_address_asm(location_t where, unsigned operand, enum weft_access_effect effect,
		       void (*found)(unsigned access, void *data), void *data)
{
	const note *note = find_note(note_key(NOTE_ASM, wp_pure(where), operand));
	accessed at = {};

	at.part = true;
	return follow_note(note, where, at, kind_of(effect), found, data);
}

void wp_by_address_member(location_t where, location_t own, unsigned access,
			  void (*found)(unsigned access, void *data), void *data)
{
	const note *note = find_note(note_key(NOTE_MEMBER, access, 0));
	accessed at = {};
	unsigned char kind = wp_accesses[access].kind;

	if (!note || !note->pointer)
		return;
	kind = kind == WEFT_KIND_INIT ? (unsigned char)WEFT_KIND_SET
	       : kind == WEFT_KIND_CALL ? (unsigned char)WEFT_KIND_GET : kind;
	if (kind == WEFT_KIND_ADDRESS)
		return;
	if (!instance_of(where, note->function, &at.scope) &&
	    !instance_of(own, note->function, &at.scope))
		return;
	at.bits = note->bits;
	follow(note->pointer, at, (enum weft_kind)kind, found, data);
}

void wp_by_address_memory(location_t where, location_t own, int bits, enum weft_access_effect role,
			  void (*found)(unsigned access, void *data), void *data)
{
	enum note_kind kind = role == WEFT_EFFECT_LOAD ? NOTE_LOAD : NOTE_STORE;
	const note *note = find_note(note_key(kind, wp_pure(where), 0));
	accessed at = {};

	at.bits = bits;
	if (!note && own != UNKNOWN_LOCATION)
		note = find_note(note_key(kind, wp_pure(own), 0));
	if (note && note->bits == bits)
		follow_note(note, where, at, kind_of(role), found, data);
}

void wp_by_address_builtin(location_t where, int bits, enum weft_access_effect effect,
			   void (*found)(unsigned access, void *data), void *data)
{
	accessed at = {};

	at.bits = bits;
	at.part = true;
	follow_note(find_note(note_key(NOTE_BUILTIN, wp_pure(where), 0)), where, at,
		    kind_of(effect), found, data);
}
