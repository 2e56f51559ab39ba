// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes types in C; see types.h. */
#include <dwarf.h>
#include <stdio.h>
#include <string.h>

#include "image/dwarf/scopes.h"
#include "image/dwarf/types.h"

#define LEVELS_MAX 16 /* maximum nesting of anonymous structs */

/*
 * Returns the name of a type if C can use it, else NULL. The name comes from an image and becomes
 * part of a program that is compiled, so it is checked: it may be of another language, or not be a
 * name at all.
 */
static const char *name_in_c(const struct wv_dies *dies, Dwarf_Die *die)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
	/* the blank is for names such as "long unsigned int" */
	static const char others[] = "0123456789 ";
	const char *name = wv_die_text(dies, die, DW_AT_name);

	if (!name || !*name || !strchr(letters, *name))
		return NULL;
	for (const char *at = name; *at; at++)
		if (!strchr(letters, *at) && !strchr(others, *at))
			return NULL;
	return name;
}

/*
 * Replaces @die by its type without all typedefs and qualifiers. Returns false if the type is void.
 */
static bool peel(Dwarf_Die *die)
{
	for (size_t step = 0; step < WV_REFERENCES_MAX; step++) {
		switch (dwarf_tag(die)) {
		case DW_TAG_typedef: case DW_TAG_const_type: case DW_TAG_volatile_type:
		case DW_TAG_restrict_type: case DW_TAG_atomic_type:
			if (!wv_die_reference(die, DW_AT_type, die))
				return false;
			break;
		default:
			return true;
		}
	}
	return false;
}

/* The type that @die is declared with, without typedefs and qualifiers. */
static bool peel_type_of(Dwarf_Die *die, Dwarf_Die *ret)
{
	return wv_die_reference(die, DW_AT_type, ret) && peel(ret);
}

static void be_integer(struct wv_type *ret, uint64_t size, bool is_signed)
{
	static const char *const names[] = {
		[1] = "char", [2] = "short", [4] = "int", [8] = "long"
	};

	ret->size = size;
	ret->is_signed = is_signed;
	ret->kind = size <= 8 && size && !(size & (size - 1)) ? WV_TYPE_INTEGER : WV_TYPE_NONE;
	if (ret->kind == WV_TYPE_INTEGER)
		snprintf(ret->text, sizeof(ret->text), "%s %s", is_signed ? "signed" : "unsigned",
			 names[size]);
}

static void be_base(const struct wv_dies *dies, struct wv_type *ret, Dwarf_Die *die)
{
	uint64_t encoding = wv_die_number(die, DW_AT_encoding);
	const char *name = name_in_c(dies, die);

	be_integer(ret, ret->size, encoding == DW_ATE_signed || encoding == DW_ATE_signed_char);
	if (encoding == DW_ATE_float || encoding == DW_ATE_complex_float)
		ret->kind = WV_TYPE_NONE;
	if (ret->kind == WV_TYPE_INTEGER && name)
		snprintf(ret->text, sizeof(ret->text), "%s", name);
}

static void name_struct(struct wv_type *ret, Dwarf_Die *die, const char *name)
{
	snprintf(ret->tag, sizeof(ret->tag), "%s %s",
		 dwarf_tag(die) == DW_TAG_union_type ? "union" : "struct", name);
}

/*
 * Makes @ret the pointer type @die. If C cannot name the type to which it points without a header,
 * the text of @ret is void *.
 */
static void be_pointer(const struct wv_dies *dies, struct wv_type *ret, const Dwarf_Die *die)
{
	char stars[WV_REFERENCES_MAX + 2] = "*";
	Dwarf_Die target = *die;
	const char *name;

	strcpy(ret->text, "void *");
	for (size_t depth = 1; depth < WV_REFERENCES_MAX; depth++) {
		if (!peel_type_of(&target, &target)) {
			snprintf(ret->text, sizeof(ret->text), "void %s", stars);
			return;
		}
		if (dwarf_tag(&target) != DW_TAG_pointer_type)
			break;
		strcat(stars, "*");
	}
	name = name_in_c(dies, &target);
	if (!name)
		return;
	if (dwarf_tag(&target) == DW_TAG_base_type) {
		snprintf(ret->text, sizeof(ret->text), "%s %s", name, stars);
	} else if (wv_die_is_struct(&target)) {
		name_struct(ret, &target, name);
		snprintf(ret->text, sizeof(ret->text), "%s %s", ret->tag, stars);
	}
}

static void be_struct(const struct wv_dies *dies, struct wv_type *ret, Dwarf_Die *die)
{
	const char *name = name_in_c(dies, die);

	if (name) {
		ret->kind = WV_TYPE_STRUCT;
		name_struct(ret, die, name);
		strcpy(ret->text, ret->tag);
		return;
	}
	be_integer(ret, ret->size, false);
	if (ret->kind == WV_TYPE_INTEGER)
		return;
	ret->kind = WV_TYPE_MEMORY;
	strcpy(ret->text, "void *");
}

/* Makes @ret the array type @die. Its text is the type of a pointer to the first element. */
static void be_array(const struct wv_dies *dies, struct wv_type *ret, const Dwarf_Die *die)
{
	Dwarf_Die array = *die, element = *die;

	ret->kind = WV_TYPE_MEMORY;
	for (size_t step = 0; step < WV_REFERENCES_MAX; step++) {
		if (dwarf_tag(&element) != DW_TAG_array_type)
			break;
		array = element;
		if (!peel_type_of(&array, &element))
			break;
	}
	be_pointer(dies, ret, &array);
}

void wv_type_describe(const struct wv_dies *dies, uint64_t type, struct wv_type *ret)
{
	Dwarf_Die die;

	memset(ret, 0, sizeof(*ret));
	if (!type || !wv_die_at(dies, type, &die) || !peel(&die))
		return;
	ret->size = wv_die_number(&die, DW_AT_byte_size);
	ret->entry = dwarf_dieoffset(&die);
	switch (dwarf_tag(&die)) {
	case DW_TAG_base_type:
		be_base(dies, ret, &die);
		break;
	case DW_TAG_enumeration_type:
		/* GCC sets DW_AT_encoding of an enum to signed if one of its values is negative. */
		be_integer(ret, ret->size, wv_die_number(&die, DW_AT_encoding) == DW_ATE_signed);
		break;
	case DW_TAG_pointer_type:
		ret->kind = WV_TYPE_POINTER;
		ret->size = sizeof(uint64_t);
		be_pointer(dies, ret, &die);
		break;
	case DW_TAG_structure_type: case DW_TAG_union_type:
		be_struct(dies, ret, &die);
		break;
	case DW_TAG_array_type:
		be_array(dies, ret, &die);
		break;
	}
}

struct members {
	const struct wv_dies *dies;
	bool (*visit)(const char *name, const struct wv_type_member *member, void *context);
	void *context;
	bool ended;
	struct wv_error *error;
};

static uint64_t bit_offset(Dwarf_Die *die)
{
	if (dwarf_hasattr(die, DW_AT_data_bit_offset))
		return wv_die_number(die, DW_AT_data_bit_offset);
	return wv_die_number(die, DW_AT_data_member_location) * 8;
}

static int visit_members(struct members *members, Dwarf_Die *structure, uint64_t base,
			 size_t level);

static int visit_member(struct members *members, Dwarf_Die *die, uint64_t base, size_t level)
{
	const char *name = wv_die_text(members->dies, die, DW_AT_name);
	struct wv_type_member member = { .bit_offset = base + bit_offset(die),
					 .bit_size = wv_die_number(die, DW_AT_bit_size) };
	Dwarf_Die type;

	if (!name && peel_type_of(die, &type))
		return visit_members(members, &type, member.bit_offset, level + 1);
	if (!name)
		return 0;
	member.type = wv_die_reference(die, DW_AT_type, &type) ? dwarf_dieoffset(&type) : 0;
	members->ended = !members->visit(name, &member, members->context);
	return 0;
}

static int visit_members(struct members *members, Dwarf_Die *structure, uint64_t base,
			 size_t level)
{
	Dwarf_Die die;
	bool more;
	int failed;

	if (level > LEVELS_MAX)
		return 0;
	failed = wv_dies_child(members->dies, structure, &more, &die, members->error);
	while (!failed && more && !members->ended) {
		if (dwarf_tag(&die) == DW_TAG_member)
			failed = visit_member(members, &die, base, level);
		if (!failed)
			failed = wv_dies_next(members->dies, &die, &more, members->error);
	}
	return failed;
}

int wv_type_each_member(const struct wv_dies *dies, uint64_t entry,
			bool (*visit)(const char *name, const struct wv_type_member *member,
				      void *context),
			void *context, struct wv_error *error)
{
	struct members members = { .dies = dies, .visit = visit, .context = context,
				   .error = error };
	Dwarf_Die die;

	if (!wv_die_at(dies, entry, &die) || !peel(&die) || !wv_die_is_struct(&die))
		return 0;
	return visit_members(&members, &die, 0, 0);
}

struct wanted {
	const char *name;
	bool found;
	struct wv_type_member *ret;
};

static bool visit_wanted(const char *name, const struct wv_type_member *member, void *context)
{
	struct wanted *wanted = context;

	if (strcmp(name, wanted->name))
		return true;
	wanted->found = true;
	*wanted->ret = *member;
	return false;
}

int wv_type_member(const struct wv_dies *dies, uint64_t entry, const char *name, bool *found_ret,
		   struct wv_type_member *ret, struct wv_error *error)
{
	struct wanted wanted = { .name = name, .ret = ret };
	int failed = wv_type_each_member(dies, entry, visit_wanted, &wanted, error);

	*found_ret = wanted.found;
	return failed;
}

int wv_type_find(const struct wv_dies *dies, const Dwarf_Die *unit, const char *name, uint64_t *ret,
		 struct wv_error *error)
{
	Dwarf_Die die = *unit;
	bool more;
	int failed = wv_dies_child(dies, &die, &more, &die, error);

	*ret = 0;
	for (; !failed && more; failed = wv_dies_next(dies, &die, &more, error)) {
		bool structure = wv_die_is_struct(&die);
		const char *own;

		if (!structure && (*ret || dwarf_tag(&die) != DW_TAG_typedef))
			continue;
		own = wv_die_text(dies, &die, DW_AT_name);
		if (!own || strcmp(own, name) || dwarf_hasattr(&die, DW_AT_declaration))
			continue;
		*ret = dwarf_dieoffset(&die);
		if (structure)
			return 0;
	}
	return failed;
}

bool wv_type_element(const struct wv_dies *dies, uint64_t type, uint64_t *ret)
{
	Dwarf_Die die;
	bool array = false;

	if (!type || !wv_die_at(dies, type, &die) || !peel(&die))
		return false;
	for (size_t step = 0; step < WV_REFERENCES_MAX; step++) {
		if (dwarf_tag(&die) != DW_TAG_array_type)
			break;
		array = true;
		if (!peel_type_of(&die, &die))
			return false;
	}
	*ret = dwarf_dieoffset(&die);
	return array;
}

bool wv_type_function(const struct wv_dies *dies, uint64_t entry, Dwarf_Die *ret)
{
	if (!wv_die_at(dies, entry, ret) || !peel(ret))
		return false;
	if (dwarf_tag(ret) == DW_TAG_pointer_type && !peel_type_of(ret, ret))
		return false;
	return dwarf_tag(ret) == DW_TAG_subroutine_type;
}

bool wv_type_returned(const struct wv_dies *dies, uint64_t entry, uint64_t *ret)
{
	Dwarf_Die die, type;

	*ret = 0;
	if (!wv_type_function(dies, entry, &die))
		return false;
	if (wv_die_reference(&die, DW_AT_type, &type))
		*ret = dwarf_dieoffset(&type);
	return true;
}
