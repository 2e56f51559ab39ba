// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The access that a reference does, in GIMPLE and in an instruction's memory operand alike. It is
 * looked for by the reference's own location and its member, then by the location of the statement
 * or instruction, then in the source line; and then by the bits that the reference covers.
 */
#include "gcc-compat.h"
#include "reference.h"

#define AMBIGUOUS UINT_MAX

tree wp_source_function(location_t where, tree function)
{
	tree block = LOCATION_BLOCK(where);

	for (; block && TREE_CODE(block) == BLOCK; block = BLOCK_SUPERCONTEXT(block)) {
		if (!inlined_function_outer_scope_p(block))
			continue;
		tree origin = block_ultimate_origin(block);

		if (origin && TREE_CODE(origin) == FUNCTION_DECL)
			return DECL_ORIGIN(origin);
	}
	return DECL_ORIGIN(function);
}

unsigned wp_access_of_member(const wp_code_location *place, tree reference,
			     enum weft_access_effect effect)
{
	unsigned access = 0;

	if (EXPR_HAS_LOCATION(reference))
		access = wp_access_find(wp_pure(EXPR_LOCATION(reference)), reference, effect);
	if (!access)
		access = wp_access_find(wp_pure(place->where), reference, effect);
	if (!access)
		access = wp_access_find_line(wp_source_function(place->where, place->function),
					     place->where, reference, effect);
	return access;
}

unsigned wp_access_of_bits(const wp_code_location *place, location_t own, const wp_bits *bits,
			   enum weft_access_effect effect)
{
	location_t where = wp_pure(place->where);
	unsigned access = wp_access_find_bits(wp_pure(own), bits, effect);
	unsigned part;

	if (!access)
		access = wp_access_find_bits(where, bits, effect);
	if (!access)
		access = wp_access_find_line_bits(
			wp_source_function(place->where, place->function), where, bits, effect);
	if (!access)
		return 0;
	/*
	 * If the reference is the word of a bit-field in a nested struct, it may have the nested
	 * struct's location; prefer the bit-field's access.
	 */
	part = wp_access_find_part(access, bits, effect);
	return part ? part : access;
}

/*
 * The accesses that wp_reference_note() has noted: key of location, number of bits and effect ->
 * access. AMBIGUOUS: no access is known there, or there are several.
 */
static struct wp_map by_size;

static uint64_t size_key(location_t where, int bits, enum weft_access_effect effect)
{
	return wp_key(wp_pure(where), bits, effect);
}

void wp_reference_note(location_t where, int bits, enum weft_access_effect effect, unsigned access)
{
	unsigned *at = wp_map_at(&by_size, size_key(where, bits, effect));

	if (!*at && access)
		*at = access;
	else if (*at != access)
		*at = AMBIGUOUS;
}

void wp_reference_note_copied(location_t where)
{
	*wp_map_at(&by_size, size_key(where, 0, WEFT_EFFECT_COUNT)) = AMBIGUOUS;
}

/*
 * Returns the access that was noted for this location, size and effect. Returns 0 if none was, or
 * if the reference may be a part of memory that is copied at this location.
 */
static unsigned access_of_size(location_t where, int bits, enum weft_access_effect effect)
{
	unsigned access = wp_map_get(&by_size, size_key(where, bits, effect));

	return access == AMBIGUOUS || wp_pure(where) <= BUILTINS_LOCATION ||
			       wp_map_get(&by_size, size_key(where, 0, WEFT_EFFECT_COUNT))
		       ? 0
		       : access;
}

unsigned wp_access_of_reference(gimple *statement, tree reference, enum weft_access_effect effect)
{
	wp_code_location place = { gimple_location(statement), current_function_decl };
	unsigned access = 0, noted;
	wp_bits bits;

	for (tree at = reference; handled_component_p(at) && !access; at = TREE_OPERAND(at, 0)) {
		if (TREE_CODE(at) == COMPONENT_REF && DECL_NAME(TREE_OPERAND(at, 1)))
			access = wp_access_of_member(&place, at, effect);
	}
	if ((access && TREE_CODE(reference) != BIT_FIELD_REF) || !wp_bits_init(&bits, reference))
		return access;
	if (access) {
		/* A folded test of a bit-field names the struct that the bit-field is in. */
		noted = wp_access_of_bits(&place, EXPR_LOCATION(reference), &bits, effect);
		return wp_access_is_part(noted, access) ? noted : access;
	}
	access = wp_access_of_bits(&place, EXPR_LOCATION(reference), &bits, effect);
	noted = access_of_size(place.where, bits.count, effect);
	/* The bits of a cast part may count from another start than those of its whole. */
	return !access || wp_access_is_part(noted, access) ? noted : access;
}

/* The pointer, or the variable, that `&p->m` is made of. */
static tree address_before(tree address, HOST_WIDE_INT *bytes)
{
	poly_int64 inner = 0, outer = 0;
	HOST_WIDE_INT constant;
	tree base = get_addr_base_and_unit_offset(TREE_OPERAND(address, 0), &inner);

	if (!base || (TREE_CODE(base) == MEM_REF && !mem_ref_offset(base).to_shwi(&outer)) ||
	    !(inner + outer).is_constant(&constant))
		return NULL_TREE;
	*bytes += constant;
	return TREE_CODE(base) == MEM_REF ? TREE_OPERAND(base, 0) : base;
}

tree wp_pointer_before(tree pointer, HOST_WIDE_INT *bytes)
{
	if (TREE_CODE(pointer) == ADDR_EXPR)
		return address_before(pointer, bytes);
	gimple *definition = TREE_CODE(pointer) == SSA_NAME ? SSA_NAME_DEF_STMT(pointer) : NULL;

	if (!definition || !is_gimple_assign(definition))
		return NULL_TREE;
	tree from = gimple_assign_rhs1(definition);

	if (gimple_assign_ssa_name_copy_p(definition) ||
	    (gimple_assign_single_p(definition) && TREE_CODE(from) == ADDR_EXPR))
		return from;
	if (gimple_assign_rhs_code(definition) != POINTER_PLUS_EXPR ||
	    TREE_CODE(gimple_assign_rhs2(definition)) != INTEGER_CST)
		return NULL_TREE;
	*bytes += TREE_INT_CST_LOW(gimple_assign_rhs2(definition));
	return from;
}
