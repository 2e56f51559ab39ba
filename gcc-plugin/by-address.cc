// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Accesses by address: `atomic_inc(&p->m)` takes the address of m, and an instruction of an inlined
 * function reads and writes m. This file finds the access that such an instruction does.
 *
 * pointers.cc has noted where the pointer of a statement's memory operand comes from, in terms of
 * the function that has the statement in its source: it is the address of a member, a parameter, or
 * the result of a call. When an instruction is labelled, the blocks of its location show where that
 * function was inlined. So a parameter is replaced by the argument of the inlined call, and so on
 * outwards, until the address of a member is found. Optimizations do not change the result: the
 * notes were made before them.
 *
 * The access that is found is a derived one: a copy of the access of kind `address`, with the kind
 * of what the instruction does.
 */
#include "gcc-compat.h"
#include "joinpoints.h"
#include "by-address.h"
#include "pointers.h"

/*
 * The most steps by which a pointer is followed. A step leads from a parameter to the argument that
 * is passed for it, from a call to what the called function returns, or from a member to the object
 * that the member is in. No step leads through a call by a function pointer: which function is
 * called is not known.
 */
#define FOLLOWED_MAX 64

/*
 * The size of a word in bits. An atomic or bit operation on a part of a member counts as one on the
 * member only if the member is no wider than this: wider ones are mostly structs.
 */
#define WORD_BITS 64

/*
 * The most calls whose results are passed on to each other, as in `set_bit(nr, f(g(p)))`, that are
 * followed.
 */
#define CALLS_MAX 8

static struct wp_map derived; /* (access, kind) -> access */

/* Returns the access of @kind to the member whose address @access takes; adds it if it is new. */
static unsigned derive(unsigned access, enum weft_kind kind)
{
	if (wp_accesses[access].kind == kind)
		return access;
	unsigned *at = wp_map_at(&derived, wp_key(access, kind, 0));

	if (*at)
		return *at;
	wp_access copy = wp_accesses[access];

	copy.kind = kind;
	copy.whole = copy.also = 0;
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
 * Finds the innermost inlined instance around @where of the function with DECL_UID @uid. Returns
 * false if there is none. *@scope_ret: its outer block; NULL for the function that is compiled.
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
	const wp_note *note = wp_note_find(wp_note_argument_key(where, callee, parameter - 1));

	return note ? note->pointer : 0;
}

/*
 * The pointer (index in wp_pointers) that is passed as parameter number @parameter, 1 for the
 * first, to the function inlined in @scope; 0: unknown. *@scope_ret: the outer block of the
 * instance that has the call; NULL for the function that is compiled.
 */
static unsigned inlined_argument(tree scope, unsigned parameter, tree *scope_ret)
{
	tree function = function_of_scope(scope);
	location_t where = wp_pure(BLOCK_SOURCE_LOCATION(scope));
	wp_pointer same = {};

	*scope_ret = inlined_scope(BLOCK_SUPERCONTEXT(scope));
	if (!function)
		return 0;
	/*
	 * If GCC has split a part off a function, and inlined the part into what is left of the
	 * function, its parameters are those of the function. The call of such a part has no
	 * location.
	 */
	if (where > BUILTINS_LOCATION || function_of_scope(*scope_ret) != function)
		return argument_at(where, DECL_UID(function), parameter);
	same.parameter = parameter;
	return wp_pointer_number(&same);
}

/* The memory that is accessed, while its pointer is followed outwards. */
struct accessed {
	HOST_WIDE_INT offset;
	bool varies;
	int bits;
	bool part;  /* an access of a part of a word counts as an access of the whole word */
	tree scope; /* the inlined instance that has the pointer; NULL: the compiled function */
	/*
	 * The calls whose results were followed. The first call is in .scope. Each further call is
	 * in the function that the call before it calls.
	 */
	struct {
		unsigned callee;
		location_t where;
	} calls[CALLS_MAX];
	unsigned call_count;
};

/*
 * Follows a pointer by one step: returns the argument if @it is a parameter, or what the function
 * returns if @it is the result of a call (an index in wp_pointers). 0: unknown.
 */
static unsigned step(accessed *at, const wp_pointer *it)
{
	if (it->callee) {
		const wp_note *note = wp_note_find(wp_note_key(WP_NOTE_RETURN, it->callee, 0));

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

/*
 * Whether the accessed memory is the member, an element of it, or a part of a word of it. A member
 * of one word may be passed as a bitmap, in which a bit number chooses the word, as for test_bit().
 */
static bool fits(const wp_extent *extent, const accessed *at)
{
	HOST_WIDE_INT first = at->offset * BITS_PER_UNIT;

	if (extent->bit_field || first < 0)
		return false;
	/* A flexible array has any number of elements. */
	if (!extent->count)
		return extent->element && at->bits == extent->element &&
		       (at->varies || !(first % extent->element));
	if (first >= extent->count || first + at->bits > extent->count)
		return false;
	if (at->bits == extent->count)
		return !first && (!at->varies || at->bits == WORD_BITS);
	if (at->bits == extent->element)
		return at->varies || !(first % extent->element);
	return at->part && extent->element <= WORD_BITS;
}

static void follow(unsigned number, accessed at, enum weft_kind kind,
		   void (*found)(unsigned access, void *data), void *data)
{
	for (unsigned i = 0; number && i < FOLLOWED_MAX; i++) {
		const wp_pointer it = wp_pointers[number];

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

static bool follow_note(const wp_note *note, location_t where, accessed at, enum weft_kind kind,
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
	const wp_note *note = wp_note_find(wp_note_key(WP_NOTE_ASM, wp_pure(where), operand));
	accessed at = {};

	at.part = true;
	return follow_note(note, where, at, kind_of(effect), found, data);
}

void wp_by_address_member(location_t where, location_t own, unsigned access,
			  void (*found)(unsigned access, void *data), void *data)
{
	const wp_note *note = wp_note_find(wp_note_key(WP_NOTE_MEMBER, access, 0));
	accessed at = {};
	unsigned char kind = wp_accesses[access].kind;

	if (!note || !note->pointer)
		return;
	kind = kind == WEFT_KIND_INIT	? (unsigned char)WEFT_KIND_SET
	       : kind == WEFT_KIND_CALL ? (unsigned char)WEFT_KIND_GET
					: kind;
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
	enum wp_note_kind kind = role == WEFT_EFFECT_LOAD ? WP_NOTE_LOAD : WP_NOTE_STORE;
	const wp_note *note = wp_note_find(wp_note_key(kind, wp_pure(where), 0));
	accessed at = {};

	at.bits = bits;
	if (!note && own != UNKNOWN_LOCATION)
		note = wp_note_find(wp_note_key(kind, wp_pure(own), 0));
	if (note && note->bits == bits)
		follow_note(note, where, at, kind_of(role), found, data);
}

void wp_by_address_builtin(location_t where, int bits, enum weft_access_effect effect,
			   void (*found)(unsigned access, void *data), void *data)
{
	accessed at = {};

	at.bits = bits;
	at.part = true;
	follow_note(wp_note_find(wp_note_key(WP_NOTE_BUILTIN, wp_pure(where), 0)), where, at,
		    kind_of(effect), found, data);
}

/*
 * The note of the argument that is passed as parameter number @parameter to the function inlined in
 * @scope.
 */
static const wp_note *passed_to(tree scope, unsigned parameter)
{
	tree function = scope ? function_of_scope(scope) : NULL_TREE;

	return function ? wp_note_find(wp_note_argument_key(wp_pure(BLOCK_SOURCE_LOCATION(scope)),
							    DECL_UID(function), parameter - 1))
			: NULL;
}

/*
 * Calls found() for @access and the accesses that it is a part of, if they are of kind address and
 * their members begin at the same bit.
 */
static void found_addresses(unsigned access, void (*found)(unsigned access, void *data), void *data)
{
	int first = wp_accesses[access].extent.first;

	for (; access; access = wp_accesses[access].whole) {
		const wp_access *it = &wp_accesses[access];

		if (it->kind == WEFT_KIND_ADDRESS && it->extent.first == first)
			found(access, data);
	}
}

void wp_by_address_argument(location_t where, tree callee, unsigned argument,
			    void (*found)(unsigned access, void *data), void *data)
{
	const wp_note *note = wp_note_find(
		wp_note_argument_key(wp_pure(where), DECL_UID(callee), argument));
	tree scope;

	if (DECL_ORIGIN(callee) != callee || !note || !(note->flags & WP_ARGUMENT_IN_REGISTER) ||
	    !instance_of(where, note->function, &scope))
		return;
	unsigned number = note->pointer, flags = note->flags;
	HOST_WIDE_INT offset = 0;

	for (unsigned i = 0; number && i < FOLLOWED_MAX; i++) {
		const wp_pointer it = wp_pointers[number];

		offset += it.offset;
		if (it.varies || it.callee)
			return;
		if (it.parameter) {
			note = flags & WP_ARGUMENT_AS_ENTERED ? passed_to(scope, it.parameter)
							      : NULL;
			if (!note)
				return;
			number = note->pointer;
			flags = note->flags;
			scope = inlined_scope(BLOCK_SUPERCONTEXT(scope));
			continue;
		}
		int first = wp_accesses[it.access].extent.first;

		if (first == WP_NO_BIT || !(flags & WP_ARGUMENT_AS_TAKEN))
			return;
		if (!offset)
			found_addresses(it.access, found, data);
		offset += first / BITS_PER_UNIT;
		number = it.object;
	}
}
