// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads prototypes, and counts their argument registers; see prototype.h. A parameter of at most
 * eight bytes that is an integer, an enum, a pointer or an aggregate takes one register or none. In
 * all other cases the count is uncertain:
 * - a larger parameter, which takes two registers or memory;
 * - floating point;
 * - a returned aggregate, because its address may be passed as the first argument;
 * - an ellipsis;
 * - a definition without a prototype.
 */
#include <dwarf.h>
#include <stdlib.h>

#include "image/dwarf/prototype.h"

enum { REGISTER = 8 /* bytes of a register */ };

/* True if a value of @die's type takes at most one integer register. */
static bool fits_register(Dwarf_Die *die)
{
	Dwarf_Die type = *die;

	for (size_t step = 0; step < WV_REFERENCES_MAX; step++) {
		uint64_t encoding, size;

		if (!wv_die_reference(&type, DW_AT_type, &type))
			return false;
		size = wv_die_number(&type, DW_AT_byte_size);
		switch (dwarf_tag(&type)) {
		case DW_TAG_typedef: case DW_TAG_const_type: case DW_TAG_volatile_type:
		case DW_TAG_restrict_type: case DW_TAG_atomic_type:
			continue;
		case DW_TAG_pointer_type:
			return true;
		case DW_TAG_base_type:
			encoding = wv_die_number(&type, DW_AT_encoding);
			return encoding != DW_ATE_float && encoding != DW_ATE_complex_float &&
			       size <= REGISTER;
		case DW_TAG_enumeration_type: case DW_TAG_structure_type: case DW_TAG_union_type:
			return size <= REGISTER && !dwarf_hasattr(&type, DW_AT_declaration);
		default:
			return false;
		}
	}
	return false;
}

/*
 * Counts the parameters of @function. Sets *@clear to false if a parameter makes the number of
 * registers uncertain.
 */
static int count_parameters(const struct wv_dies *dies, Dwarf_Die *function, unsigned int *count,
			    bool *clear, struct wv_error *error)
{
	Dwarf_Die child;
	bool more;
	int ret = wv_dies_child(dies, function, &more, &child, error);

	while (!ret && more) {
		int tag = dwarf_tag(&child);

		if (tag == DW_TAG_unspecified_parameters)
			*clear = false;
		*count += tag == DW_TAG_formal_parameter;
		/*
		 * A parameter without a type has the type of its abstract entry. That entry is
		 * among the parameters of the abstract function, which are counted as well, so it
		 * is checked there.
		 */
		if (tag == DW_TAG_formal_parameter &&
		    (dwarf_hasattr(&child, DW_AT_type) ||
		     !dwarf_hasattr(&child, DW_AT_abstract_origin)))
			*clear &= fits_register(&child);
		ret = wv_dies_next(dies, &child, &more, error);
	}
	return ret;
}

int wv_prototype_given(const struct wv_dies *dies, const Dwarf_Die *function, unsigned int *ret,
		       struct wv_error *error)
{
	bool prototyped = false, clear = true;
	Dwarf_Die die = *function;
	unsigned int most = 0;

	*ret = WV_GIVEN_MAX;
	for (size_t step = 0; step <= WV_REFERENCES_MAX; step++) {
		unsigned int count = 0;
		int failed = count_parameters(dies, &die, &count, &clear, error);

		if (failed)
			return failed;
		if (dwarf_hasattr(&die, DW_AT_type))
			clear &= fits_register(&die);
		prototyped |= dwarf_hasattr(&die, DW_AT_prototyped);
		most = count > most ? count : most;
		if (wv_die_origin(&die, &die))
			continue;
		if (prototyped && clear && most < WV_GIVEN_MAX)
			*ret = most;
		return 0;
	}
	return 0;
}

static int read_parameters(const struct wv_dies *dies, Dwarf_Die *function,
			   struct wv_prototype *ret, struct wv_error *error)
{
	Dwarf_Die child, type;
	bool more;
	int failed = wv_dies_child(dies, function, &more, &child, error);

	while (!failed && more) {
		if (dwarf_tag(&child) == DW_TAG_unspecified_parameters)
			ret->variadic = true;
		if (dwarf_tag(&child) == DW_TAG_formal_parameter) {
			uint64_t *parameter = wv_vec_push(&ret->parameters);

			if (!parameter)
				return wv_no_memory(error);
			*parameter = wv_die_reference(&child, DW_AT_type, &type) ?
					     dwarf_dieoffset(&type) : 0;
		}
		failed = wv_dies_next(dies, &child, &more, error);
	}
	return failed;
}

/*
 * A function that was inlined as well has its prototype in its abstract entry, to which its own
 * entry refers.
 */
int wv_prototype_read(const struct wv_dies *dies, const Dwarf_Die *function,
		      struct wv_prototype *ret, struct wv_error *error)
{
	Dwarf_Die die = *function, type;

	*ret = (struct wv_prototype){ 0 };
	for (size_t step = 0; step < WV_REFERENCES_MAX; step++) {
		ret->noreturn |= dwarf_hasattr(&die, DW_AT_noreturn);
		if (dwarf_hasattr(&die, DW_AT_prototyped))
			break;
		if (!wv_die_origin(&die, &die))
			return 0;
	}
	ret->known = dwarf_hasattr(&die, DW_AT_prototyped);
	if (wv_die_reference(&die, DW_AT_type, &type))
		ret->returned = dwarf_dieoffset(&type);
	return read_parameters(dies, &die, ret, error);
}

void wv_prototype_deinit(struct wv_prototype *prototype)
{
	wv_vec_deinit(&prototype->parameters);
	*prototype = (struct wv_prototype){ 0 };
}
