// SPDX-License-Identifier: GPL-2.0-or-later
/* Types in C's words; see types.h. */
#include <dwarf.h>
#include <stdio.h>
#include <string.h>

#include "image/dwarf/scopes.h"
#include "image/dwarf/types.h"

#define STEPS_MAX 32  /* of typedefs, qualifiers and pointers around a type */
#define LEVELS_MAX 16 /* of anonymous structs */

/* Behind typedefs and qualifiers. .tag is 0 for void. */
static int peel(struct wv_dies *dies, uint64_t type, struct wv_die *ret, struct wv_error *error)
{
	memset(ret, 0, sizeof(*ret));
	for (size_t step = 0; type && step < STEPS_MAX; step++) {
		int failed = wv_dies_read(dies, type, ret, error);

		if (failed)
			return failed;
		switch (ret->tag) {
		case DW_TAG_typedef: case DW_TAG_const_type: case DW_TAG_volatile_type:
		case DW_TAG_restrict_type: case DW_TAG_atomic_type:
			type = ret->type;
			memset(ret, 0, sizeof(*ret));
			break;
		default:
			return 0;
		}
	}
	return 0;
}

static void be_integer(struct wv_type *ret, uint64_t size, bool is_signed)
{
	static const char *const names[] = { [1] = "char", [2] = "short", [4] = "int", [8] = "long" };

	ret->size = size;
	ret->is_signed = is_signed;
	ret->kind = size <= 8 && size && !(size & (size - 1)) ? WV_TYPE_INTEGER : WV_TYPE_NONE;
	if (ret->kind == WV_TYPE_INTEGER)
		snprintf(ret->text, sizeof(ret->text), "%s %s", is_signed ? "signed" : "unsigned",
			 names[size]);
}

static void be_base(struct wv_type *ret, const struct wv_die *die)
{
	be_integer(ret, die->byte_size,
		   die->encoding == DW_ATE_signed || die->encoding == DW_ATE_signed_char);
	if (die->encoding == DW_ATE_float || die->encoding == DW_ATE_complex_float)
		ret->kind = WV_TYPE_NONE;
	if (ret->kind == WV_TYPE_INTEGER && die->name)
		snprintf(ret->text, sizeof(ret->text), "%s", die->name);
}

/*
 * *@text is what is pointed to, with its own pointers; false where C has no name for it that needs no header.
 */
static int name_target(struct wv_dies *dies, uint64_t type, struct wv_type *ret, bool *named_ret,
		       struct wv_error *error)
{
	char stars[STEPS_MAX + 2] = "*";
	struct wv_die die;

	*named_ret = false;
	for (size_t depth = 1; depth < STEPS_MAX; depth++) {
		int failed = peel(dies, type, &die, error);

		if (failed)
			return failed;
		if (die.tag != DW_TAG_pointer_type)
			break;
		strcat(stars, "*");
		type = die.type;
	}
	if (die.tag == DW_TAG_base_type && die.name)
		snprintf(ret->text, sizeof(ret->text), "%s %s", die.name, stars);
	else if (!die.tag)
		snprintf(ret->text, sizeof(ret->text), "void %s", stars);
	else if ((die.tag == DW_TAG_structure_type || die.tag == DW_TAG_union_type) && die.name)
		snprintf(ret->tag, sizeof(ret->tag), "%s %s",
			 die.tag == DW_TAG_union_type ? "union" : "struct", die.name);
	else
		return 0;
	if (ret->tag[0])
		snprintf(ret->text, sizeof(ret->text), "%s %s", ret->tag, stars);
	*named_ret = true;
	return 0;
}

static int be_pointer(struct wv_dies *dies, uint64_t target, struct wv_type *ret, struct wv_error *error)
{
	bool named;
	int failed = name_target(dies, target, ret, &named, error);

	if (!failed && !named)
		strcpy(ret->text, "void *");
	return failed;
}

int wv_type_describe(struct wv_dies *dies, uint64_t type, struct wv_type *ret, struct wv_error *error)
{
	struct wv_die die;
	int failed = peel(dies, type, &die, error);

	memset(ret, 0, sizeof(*ret));
	if (failed)
		return failed;
	ret->size = die.byte_size;
	ret->entry = die.offset;
	switch (die.tag) {
	case DW_TAG_base_type:
		be_base(ret, &die);
		return 0;
	case DW_TAG_enumeration_type:
		/* GCC says how it counts; an enum with a negative value is signed. */
		be_integer(ret, die.byte_size, die.encoding == DW_ATE_signed);
		return 0;
	case DW_TAG_pointer_type:
		ret->kind = WV_TYPE_POINTER;
		ret->size = sizeof(uint64_t);
		return be_pointer(dies, die.type, ret, error);
	case DW_TAG_structure_type: case DW_TAG_union_type:
		if (die.name) {
			ret->kind = WV_TYPE_STRUCT;
			snprintf(ret->tag, sizeof(ret->tag), "%s %s",
				 die.tag == DW_TAG_union_type ? "union" : "struct", die.name);
			strcpy(ret->text, ret->tag);
			return 0;
		}
		be_integer(ret, die.byte_size, false);
		if (ret->kind == WV_TYPE_INTEGER)
			return 0;
		ret->kind = WV_TYPE_MEMORY;
		strcpy(ret->text, "void *");
		return 0;
	case DW_TAG_array_type:
		ret->kind = WV_TYPE_MEMORY;
		for (size_t step = 0; !failed && die.tag == DW_TAG_array_type && step < STEPS_MAX; step++) {
			type = die.type;
			failed = peel(dies, type, &die, error);
		}
		return failed ? failed : be_pointer(dies, type, ret, error);
	}
	return 0;
}

struct members {
	struct wv_dies *dies;
	bool (*visit)(const char *name, const struct wv_type_member *member, void *context);
	void *context;
	bool ended;
};

static int visit_members(struct members *members, const struct wv_die *structure, uint64_t base, size_t level,
			 struct wv_error *error)
{
	struct wv_dies *dies = members->dies;
	uint64_t at = structure->next;

	if (level > LEVELS_MAX || !(structure->flags & WV_DIE_CHILDREN))
		return 0;
	while (at < wv_dies_unit_end(dies) && !members->ended) {
		struct wv_type_member member;
		struct wv_die die, inner;
		int failed = wv_dies_read(dies, at, &die, error);

		if (!failed && !die.tag)
			return 0;
		member = (struct wv_type_member){ .type = die.type, .bit_size = die.bit_size };
		member.bit_offset = base + (die.flags & WV_DIE_HAS_BIT_OFFSET ? die.bit_offset :
										die.member_offset * 8);
		if (!failed && die.tag == DW_TAG_member && die.name)
			members->ended = !members->visit(die.name, &member, members->context);
		if (!failed && die.tag == DW_TAG_member && !die.name) {
			failed = peel(dies, die.type, &inner, error);
			if (!failed)
				failed = visit_members(members, &inner, member.bit_offset, level + 1, error);
		}
		if (!failed)
			failed = wv_dies_skip(dies, &die, &at, error);
		if (failed)
			return failed;
	}
	return 0;
}

int wv_type_each_member(struct wv_dies *dies, uint64_t entry,
			bool (*visit)(const char *name, const struct wv_type_member *member, void *context),
			void *context, struct wv_error *error)
{
	struct members members = { .dies = dies, .visit = visit, .context = context };
	struct wv_die die;
	int failed = peel(dies, entry, &die, error);

	if (failed || (die.tag != DW_TAG_structure_type && die.tag != DW_TAG_union_type))
		return failed;
	return visit_members(&members, &die, 0, 0, error);
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

int wv_type_member(struct wv_dies *dies, uint64_t entry, const char *name, bool *found_ret,
		   struct wv_type_member *ret, struct wv_error *error)
{
	struct wanted wanted = { .name = name, .ret = ret };
	int failed = wv_type_each_member(dies, entry, visit_wanted, &wanted, error);

	*found_ret = wanted.found;
	return failed;
}

int wv_type_find(struct wv_dies *dies, const struct wv_die *unit, const char *name, uint64_t *ret,
		 struct wv_error *error)
{
	uint64_t at = unit->next;

	*ret = 0;
	while (at < wv_dies_unit_end(dies)) {
		struct wv_die die;
		int failed = wv_dies_read(dies, at, &die, error);

		if (failed)
			return failed;
		if (!die.tag)
			return 0;
		if (die.name && !(die.flags & WV_DIE_DECLARATION) && !strcmp(die.name, name) &&
		    (die.tag == DW_TAG_structure_type || die.tag == DW_TAG_union_type ||
		     (die.tag == DW_TAG_typedef && !*ret)))
			*ret = die.offset;
		if (*ret && die.tag != DW_TAG_typedef)
			return 0;
		failed = wv_dies_skip(dies, &die, &at, error);
		if (failed)
			return failed;
	}
	return 0;
}

int wv_type_returned(struct wv_dies *dies, uint64_t entry, bool *known_ret, uint64_t *ret,
		     struct wv_error *error)
{
	struct wv_die die;
	int failed = peel(dies, entry, &die, error);

	if (!failed && die.tag == DW_TAG_pointer_type)
		failed = peel(dies, die.type, &die, error);
	*known_ret = !failed && die.tag == DW_TAG_subroutine_type;
	*ret = *known_ret ? die.type : 0;
	return failed;
}
