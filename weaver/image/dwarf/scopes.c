// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From an address to the entries of .debug_info around it; see scopes.h. Subtrees that do not hold the address are stepped
 * over by their sibling's offset, so that a unit costs a look at its outermost entries, once for all look-ups in it that
 * follow each other, and one path down for each.
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "image/cursor.h"
#include "image/dwarf/scopes.h"

#define NESTING_MAX 64 /* of scopes */
#define ORIGINS_MAX 4  /* a copy's entry refers to an abstract one, and that perhaps to a declaration */

struct arange {
	uint64_t start, size, unit;
};

struct wv_scopes {
	struct wv_image *image;
	struct wv_dies *dies;
	WV_VEC(struct arange) aranges;
	struct wv_die unit; /* of the last look-up; .offset 0: none yet */
	uint64_t unit_offset;
	WV_VEC(uint64_t) functions; /* that unit's outermost scopes that have code */
};

/* What the walk knows where it is. */
struct place {
	struct wv_scopes *scopes;
	struct wv_scope *scope;
	uint64_t address;
	const char *function;
	size_t depth, function_depth;
	struct wv_error *error;
};

/* One set: the ranges of one unit, pairs of address and size behind a header that is padded to their size. */
static int read_set(struct wv_scopes *scopes, struct wv_cursor *cursor, struct wv_error *error)
{
	enum { PAIR = 16 };
	const uint8_t *begin = cursor->at;
	uint64_t length = wv_cursor_number(cursor, 4), unit;
	struct wv_cursor set = *cursor;

	wv_cursor_skip(cursor, length);
	set.end = cursor->at;
	wv_cursor_number(&set, 2);
	unit = wv_cursor_number(&set, 4);
	if (length == UINT32_MAX || wv_cursor_number(&set, 1) != sizeof(uint64_t) ||
	    wv_cursor_number(&set, 1))
		return 0; /* nobody's for x86-64: its functions are then not known */
	wv_cursor_skip(&set, (PAIR - (set.at - begin) % PAIR) % PAIR);
	while (set.end - set.at >= PAIR) {
		struct arange *slot = wv_vec_push(&scopes->aranges);

		if (!slot)
			return wv_fail(error, WV_E_NO_MEMORY, "out of memory");
		slot->start = wv_cursor_number(&set, 8);
		slot->size = wv_cursor_number(&set, 8);
		slot->unit = unit;
	}
	return 0;
}

int wv_scopes_create(struct wv_image *image, struct wv_scopes **ret, struct wv_error *error)
{
	struct wv_scopes *scopes = calloc(1, sizeof(*scopes));
	const struct wv_section *section = NULL;
	int failed;

	*ret = NULL;
	if (!scopes)
		return wv_fail(error, WV_E_NO_MEMORY, "out of memory");
	scopes->image = image;
	failed = wv_dies_create(image, &scopes->dies, error);
	if (!failed)
		failed = wv_image_section(image, ".debug_aranges", &section, error);
	if (!failed && section && section->data) {
		struct wv_cursor cursor = { .at = section->data,
					    .end = section->data + section->size };

		while (!failed && cursor.at < cursor.end && !cursor.wrong)
			failed = read_set(scopes, &cursor, error);
	}
	if (failed)
		wv_scopes_destroy(scopes);
	else
		*ret = scopes;
	return failed;
}

void wv_scopes_destroy(struct wv_scopes *scopes)
{
	if (!scopes)
		return;
	wv_dies_destroy(scopes->dies);
	wv_vec_deinit(&scopes->aranges);
	wv_vec_deinit(&scopes->functions);
	free(scopes);
}

struct wv_dies *wv_scopes_dies(struct wv_scopes *scopes)
{
	return scopes->dies;
}

const struct wv_die *wv_scopes_unit(const struct wv_scopes *scopes)
{
	return &scopes->unit;
}

int wv_dies_skip(struct wv_dies *dies, const struct wv_die *die, uint64_t *ret, struct wv_error *error)
{
	size_t depth = 1;
	struct wv_die child;
	uint64_t at = die->next;

	*ret = die->next;
	if (!(die->flags & WV_DIE_CHILDREN))
		return 0;
	if (die->sibling > die->offset) {
		*ret = die->sibling;
		return 0;
	}
	while (depth && at < wv_dies_unit_end(dies)) {
		int failed = wv_dies_read(dies, at, &child, error);

		if (failed)
			return failed;
		if (!child.tag)
			depth--;
		else if (child.flags & WV_DIE_CHILDREN)
			depth++;
		at = child.next;
	}
	*ret = at;
	return 0;
}

/* Name and type, which stand in the abstract entry where @die is of a copy. */
static int resolve(struct wv_dies *dies, struct wv_die *die, struct wv_error *error)
{
	uint64_t origin = die->origin;

	for (size_t i = 0; origin && i < ORIGINS_MAX && (!die->name || !die->type); i++) {
		struct wv_die abstract;
		int failed = wv_dies_read(dies, origin, &abstract, error);

		if (failed)
			return failed;
		die->name = die->name ? die->name : abstract.name;
		die->type = die->type ? die->type : abstract.type;
		if (!(die->flags & WV_DIE_HAS_CONSTANT) && (abstract.flags & WV_DIE_HAS_CONSTANT)) {
			die->flags |= WV_DIE_HAS_CONSTANT;
			die->constant = abstract.constant;
		}
		if (!die->location.bytes && !die->location.has_list)
			die->location = abstract.location; /* a static variable's */
		origin = abstract.origin;
	}
	return 0;
}

static int add_variable(const struct place *place, struct wv_die *die)
{
	struct wv_scoped *slot;
	int failed = resolve(place->scopes->dies, die, place->error);

	if (failed || !die->name || (die->flags & WV_DIE_DECLARATION))
		return failed;
	slot = wv_vec_push(&place->scope->list);
	if (!slot)
		return wv_fail(place->error, WV_E_NO_MEMORY, "out of memory");
	*slot = (struct wv_scoped){
		.name = die->name, .function = place->function, .depth = place->depth,
		.function_depth = place->function_depth,
		.parameter = die->tag == DW_TAG_formal_parameter, .type = die->type,
		.location = die->location, .has_constant = die->flags & WV_DIE_HAS_CONSTANT,
		.constant = die->constant,
	};
	return 0;
}

static bool is_scope(const struct wv_die *die)
{
	return die->tag == DW_TAG_subprogram || die->tag == DW_TAG_inlined_subroutine ||
	       die->tag == DW_TAG_lexical_block;
}

static int walk(const struct place *outer, uint64_t at);

static int enter(const struct place *outer, struct wv_die *die)
{
	struct place inner = *outer;
	int failed;

	if (++inner.depth > NESTING_MAX || !(die->flags & WV_DIE_CHILDREN))
		return 0;
	if (die->tag == DW_TAG_subprogram)
		inner.scope->frame_base = die->frame_base;
	if (die->tag != DW_TAG_lexical_block) {
		failed = resolve(inner.scopes->dies, die, inner.error);
		if (failed)
			return failed;
		if (die->tag == DW_TAG_subprogram) {
			inner.scope->in_function = true;
			inner.scope->returned = die->type;
		}
		inner.function = die->name;
		inner.function_depth = inner.depth;
	}
	return walk(&inner, die->next);
}

/* The list of entries that begins at @at. */
static int walk(const struct place *place, uint64_t at)
{
	struct wv_dies *dies = place->scopes->dies;

	while (at < wv_dies_unit_end(dies)) {
		struct wv_die die;
		int failed = wv_dies_read(dies, at, &die, place->error);

		if (failed)
			return failed;
		if (!die.tag)
			return 0;
		if (is_scope(&die) && wv_dies_contains(dies, &die, place->address))
			failed = enter(place, &die);
		else if (place->depth && (die.tag == DW_TAG_variable ||
					  die.tag == DW_TAG_formal_parameter))
			failed = add_variable(place, &die);
		if (!failed)
			failed = wv_dies_skip(dies, &die, &at, place->error);
		if (failed)
			return failed;
	}
	return 0;
}

static int list_functions(struct wv_scopes *scopes, struct wv_error *error)
{
	uint64_t at = scopes->unit.next;
	struct wv_die die;
	int failed = 0;

	scopes->functions.n = 0;
	while (!failed && at < wv_dies_unit_end(scopes->dies)) {
		failed = wv_dies_read(scopes->dies, at, &die, error);
		if (failed || !die.tag)
			return failed;
		if (is_scope(&die) && (die.flags & (WV_DIE_HAS_LOW_PC | WV_DIE_HAS_RANGES))) {
			uint64_t *slot = wv_vec_push(&scopes->functions);

			if (!slot)
				return wv_fail(error, WV_E_NO_MEMORY, "out of memory");
			*slot = die.offset;
		}
		failed = wv_dies_skip(scopes->dies, &die, &at, error);
	}
	return failed;
}

/* The unit whose header is at @offset, unless the last look-up was there. */
static int go_to_unit(struct wv_scopes *scopes, uint64_t offset, struct wv_error *error)
{
	int failed;

	if (scopes->unit.offset && offset == scopes->unit_offset)
		return 0;
	failed = wv_dies_unit_at(scopes->dies, offset, &scopes->unit, error);
	if (!failed)
		failed = list_functions(scopes, error);
	if (failed)
		scopes->unit.offset = 0;
	scopes->unit_offset = offset;
	return failed;
}

int wv_scopes_find(struct wv_scopes *scopes, uint64_t address, struct wv_scope *ret,
		   struct wv_error *error)
{
	struct place place = { .scopes = scopes, .scope = ret, .address = address, .error = error };
	const struct arange *found = NULL;
	int failed;

	memset(ret, 0, sizeof(*ret));
	wv_vec_for_each(arange, &scopes->aranges)
		if (address >= arange->start && address - arange->start < arange->size)
			found = arange;
	if (!found) {
		scopes->unit.offset = 0;
		return 0;
	}
	failed = go_to_unit(scopes, found->unit, error);
	if (failed)
		return failed;
	for (size_t i = 0; !failed && i < scopes->functions.n; i++) {
		struct wv_die function;

		failed = wv_dies_read(scopes->dies, scopes->functions.data[i], &function, error);
		if (!failed && wv_dies_contains(scopes->dies, &function, address))
			failed = enter(&place, &function);
	}
	if (failed)
		wv_scope_deinit(ret);
	return failed;
}

void wv_scope_deinit(struct wv_scope *scope)
{
	wv_vec_deinit(&scope->list);
	memset(scope, 0, sizeof(*scope));
}
