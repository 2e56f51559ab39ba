// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The bits of an object that a lowered reference covers. Optimization rewrites `p->a.b` to "32 bits
 * at p + 24". If p is still the pointer of the source's expression, bits 192 to 223 are also the
 * access's wp_extent, by which it is found.
 */
#include "gcc-compat.h"
#include "joinpoints.h"

/*
 * Sets where the bits begin. Bits before the pointer, as of a member that is reached by
 * container_of(), count from another pointer in the source: so where they begin is unknown. Returns
 * false if @first is too large for an int.
 */
static bool begin(wp_bits *bits, HOST_WIDE_INT first)
{
	bits->first = first < 0 ? WP_NO_BIT : (int)first;
	return first > -INT_MAX && first < INT_MAX;
}

bool wp_bits_init(wp_bits *bits, tree reference)
{
	poly_int64 first, count, most;
	bool reverse;
	tree base = get_ref_base_and_extent(reference, &first, &count, &most, &reverse);
	HOST_WIDE_INT constant;

	if (!count.is_constant(&constant) || constant <= 0 || constant >= INT_MAX)
		return false;
	bits->count = constant;
	bits->first = WP_NO_BIT;
	bits->base_uid = wp_base_uid(reference);
	bits->type_uid = TYPE_UID(TYPE_MAIN_VARIANT(TREE_TYPE(reference)));
	if (base && TREE_CODE(base) == MEM_REF) {
		poly_int64 bytes;

		if (!mem_ref_offset(base).to_shwi(&bytes))
			return true;
		first += bytes * BITS_PER_UNIT;
	} else if (base && DECL_P(base)) {
		/*
		 * A variable of scalars has no members. Mostly it is memory in the stack frame for
		 * a variable that was in a register, or a table (`__per_cpu_offset[cpu]`).
		 */
		if (!RECORD_OR_UNION_TYPE_P(strip_array_types(TREE_TYPE(base))))
			return false;
	} else {
		return base && TREE_CODE(base) == TARGET_MEM_REF;
	}
	if (!known_eq(count, most) || !first.is_constant(&constant))
		return true;
	return begin(bits, constant);
}

bool wp_bits_init_memory(wp_bits *bits, rtx memory)
{
	HOST_WIDE_INT bytes, size;

	if (!MEM_SIZE_KNOWN_P(memory) || !MEM_SIZE(memory).is_constant(&size) || size <= 0 ||
	    size >= INT_MAX / BITS_PER_UNIT)
		return false;
	if (!wp_bits_init(bits, MEM_EXPR(memory)))
		return false;
	/* MEM_EXPR may be a larger object that contains the operand: take the operand's size. */
	bits->count = size * BITS_PER_UNIT;
	if (bits->first == WP_NO_BIT)
		return true;
	if (!MEM_OFFSET_KNOWN_P(memory)) {
		bits->first = WP_NO_BIT;
		return true;
	}
	if (!MEM_OFFSET(memory).is_constant(&bytes) || bytes < -INT_MAX / BITS_PER_UNIT ||
	    bytes > INT_MAX / BITS_PER_UNIT)
		return false;
	return begin(bits, bits->first + bytes * BITS_PER_UNIT);
}
