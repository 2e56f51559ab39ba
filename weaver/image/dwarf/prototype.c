// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counting a prototype's parameters; see prototype.h. Each one that is an integer, an enum, a pointer or an aggregate of eight bytes
 * at most takes one register or none. Larger ones take two, or memory: they make the count unclear, as do floating point, a
 * returned aggregate (its address may come first), an ellipsis and a definition without a prototype.
 */
#include <dwarf.h>

#include "image/dwarf/prototype.h"

enum {
	STEPS_MAX = 32, /* of typedefs and qualifiers, and from a copy to what it is of */
	REGISTER = 8,	/* bytes */
};

/* Does what is declared as @type fit one integer register, or nothing? */
static int fits_register(struct wv_dies *dies, uint64_t type, bool *ret, struct wv_error *error)
{
	*ret = false;
	for (size_t step = 0; type && step < STEPS_MAX; step++) {
		struct wv_die die;
		int failed = wv_dies_read(dies, type, &die, error);

		if (failed)
			return failed;
		switch (die.tag) {
		case DW_TAG_typedef: case DW_TAG_const_type: case DW_TAG_volatile_type:
		case DW_TAG_restrict_type: case DW_TAG_atomic_type:
			type = die.type;
			continue;
		case DW_TAG_pointer_type:
			*ret = true;
			return 0;
		case DW_TAG_base_type:
			*ret = die.encoding != DW_ATE_float && die.encoding != DW_ATE_complex_float &&
			       die.byte_size <= REGISTER;
			return 0;
		case DW_TAG_enumeration_type: case DW_TAG_structure_type: case DW_TAG_union_type:
			*ret = die.byte_size <= REGISTER && !(die.flags & WV_DIE_DECLARATION);
			return 0;
		default:
			return 0;
		}
	}
	return 0;
}

/* Counts the parameters among the children of @function; *@clear becomes false where one is not clear. */
static int count_parameters(struct wv_dies *dies, const struct wv_die *function, unsigned int *count,
			    bool *clear, struct wv_error *error)
{
	uint64_t at = function->next, end = wv_dies_unit_end(dies);
	size_t depth = function->flags & WV_DIE_CHILDREN ? 1 : 0;

	while (depth && at < end) {
		struct wv_die child;
		bool fits = true;
		int ret = wv_dies_read(dies, at, &child, error);

		if (ret)
			return ret;
		at = child.next;
		if (!child.tag) {
			depth--;
			continue;
		}
		if (depth == 1 && child.tag == DW_TAG_unspecified_parameters)
			*clear = false;
		if (depth == 1 && child.tag == DW_TAG_formal_parameter) {
			++*count;
			/* A copy's says by its own type, or by that of what it is a copy of. */
			if (child.origin && !child.type)
				continue;
			ret = fits_register(dies, child.type, &fits, error);
			if (ret)
				return ret;
			*clear &= fits;
		}
		if (child.flags & WV_DIE_CHILDREN && child.sibling > child.offset && child.sibling < end)
			at = child.sibling;
		else if (child.flags & WV_DIE_CHILDREN)
			depth++;
	}
	return 0;
}

int wv_prototype_given(struct wv_dies *dies, const struct wv_die *function, unsigned int *ret,
		       struct wv_error *error)
{
	struct wv_die die = *function;
	bool prototyped = false, clear = true, fits = true;
	unsigned int most = 0;

	*ret = WV_GIVEN_MAX;
	for (size_t step = 0;; step++) {
		unsigned int count = 0;
		int failed = count_parameters(dies, &die, &count, &clear, error);

		if (!failed && die.type)
			failed = fits_register(dies, die.type, &fits, error);
		if (failed)
			return failed;
		clear &= fits;
		prototyped |= !!(die.flags & WV_DIE_PROTOTYPED);
		most = count > most ? count : most;
		if (!die.origin)
			break;
		if (step == STEPS_MAX)
			return 0;
		failed = wv_dies_read(dies, die.origin, &die, error);
		if (failed)
			return failed;
	}
	if (prototyped && clear && most < WV_GIVEN_MAX)
		*ret = most;
	return 0;
}
