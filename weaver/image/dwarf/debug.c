// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads .debug_info in one walk over all its entries; see debug.h. A kernel has thousands of units,
 * and each repeats the structs of all headers that it includes. So a struct is read only if no
 * struct of the same name, size and line was read before.
 */
#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "image/dwarf/debug.h"
#include "image/dwarf/dies.h"
#include "image/dwarf/units.h"

#define NONE WV_POOL_FAILED
#define NESTING_MAX 16 /* maximum nesting of anonymous structs, and of qualifiers around a type */
#define PIECES_MAX 8 /* maximum pieces of one function; GCC makes two (foo and foo.cold) */

/*
 * A struct or typedef whose members were added already. The names of two of them are compared by
 * address: the linker merges equal strings, so equal names have one address.
 */
struct seen {
	const char *name;
	uint64_t size, line, tag;
};

struct walk {
	struct wv_debug *debug;
	struct wv_dies *dies;
	bool members; /* whether members of structs are read */
	/* the results of is_c() and wv_unit_keeps_convention() for the unit that is being read */
	bool c, convention;
	WV_VEC(struct seen) seen;
	struct wv_hash seen_index;
	struct wv_error *error;
};

static int no_memory(struct walk *walk)
{
	return wv_fail(walk->error, WV_E_NO_MEMORY, "out of memory");
}

static bool equal_member(const void *array, uint32_t position, const void *key)
{
	const struct wv_member *a = (const struct wv_member *)array + position, *b = key;

	return a->structure == b->structure && a->member == b->member;
}

static uint32_t hash_member(const struct wv_member *member)
{
	const uint32_t numbers[] = { member->structure, member->member };

	return wv_hash_bytes(numbers, sizeof(numbers));
}

static int add_member(struct walk *walk, const struct wv_member *member)
{
	struct wv_debug *debug = walk->debug;
	uint32_t hash = hash_member(member);
	uint32_t found = wv_hash_find(&debug->member_index, hash, equal_member,
				      debug->members.data, member);
	struct wv_member *slot;

	if (found != WV_HASH_NONE) {
		slot = &debug->members.data[found];
		slot->ambiguous |= slot->offset != member->offset || slot->type != member->type;
		return 0;
	}
	slot = wv_vec_push(&debug->members);
	if (!slot)
		return no_memory(walk);
	*slot = *member;
	return wv_hash_add(&debug->member_index, hash, debug->members.n - 1) ? no_memory(walk) : 0;
}

/*
 * Finds the struct or union that is the type of @die without all typedefs, qualifiers and arrays.
 * Returns false if the type is neither. Sets *@name to the struct's own name, else to that of the
 * typedef, else to NULL.
 */
static bool find_struct(struct walk *walk, Dwarf_Die *die, Dwarf_Die *ret, const char **name)
{
	*name = NULL;
	*ret = *die;
	for (size_t step = 0; step < NESTING_MAX; step++) {
		const char *own;

		if (!wv_die_reference(ret, DW_AT_type, ret))
			return false;
		own = wv_die_text(walk->dies, ret, DW_AT_name);
		switch (dwarf_tag(ret)) {
		case DW_TAG_structure_type: case DW_TAG_union_type:
			*name = own ? own : *name;
			return true;
		case DW_TAG_typedef:
			*name = own;
			break;
		case DW_TAG_const_type: case DW_TAG_volatile_type: case DW_TAG_atomic_type:
		case DW_TAG_array_type:
			break;
		default:
			return false;
		}
	}
	return false;
}

static int add_struct(struct walk *walk, uint32_t structure, Dwarf_Die *die, uint64_t base,
		      size_t level);

/*
 * Returns the distance in bytes from the beginning of a struct to its member @die; for a bitfield,
 * to its first byte.
 */
static uint64_t offset_of(Dwarf_Die *die)
{
	if (dwarf_hasattr(die, DW_AT_data_bit_offset))
		return wv_die_number(die, DW_AT_data_bit_offset) / 8;
	return wv_die_number(die, DW_AT_data_member_location);
}

/*
 * Adds member @die of the struct named @structure. The member may be in an anonymous struct inside
 * the named one; @base is then the offset in bytes of the anonymous struct, and 0 otherwise.
 */
static int add_named(struct walk *walk, uint32_t structure, Dwarf_Die *die, uint64_t base,
		     size_t level)
{
	struct wv_pool *names = &walk->debug->names;
	struct wv_member member = { .structure = structure, .type = NONE,
				    .offset = base + offset_of(die) };
	const char *name = wv_die_text(walk->dies, die, DW_AT_name), *type_name;
	Dwarf_Die type;
	bool found = find_struct(walk, die, &type, &type_name);
	int ret = 0;

	if (!name)
		return found ? add_struct(walk, structure, &type, member.offset, level + 1) : 0;
	member.member = wv_pool_add(names, name);
	if (found && type_name)
		member.type = wv_pool_add(names, type_name);
	if (found && !type_name) {
		char synthetic[256];

		snprintf(synthetic, sizeof(synthetic), "%s.%s",
			 wv_pool_get(names, structure), name);
		member.type = wv_pool_add(names, synthetic);
		if (member.type != NONE)
			ret = add_struct(walk, member.type, &type, 0, level + 1);
	}
	if (member.member == NONE || (found && member.type == NONE))
		return no_memory(walk);
	return ret ? ret : add_member(walk, &member);
}

static int add_struct(struct walk *walk, uint32_t structure, Dwarf_Die *die, uint64_t base,
		      size_t level)
{
	Dwarf_Die child;
	bool more;
	int ret;

	if (level > NESTING_MAX)
		return 0;
	ret = wv_dies_child(walk->dies, die, &more, &child, walk->error);
	while (!ret && more) {
		if (dwarf_tag(&child) == DW_TAG_member)
			ret = add_named(walk, structure, &child, base, level);
		if (!ret)
			ret = wv_dies_next(walk->dies, &child, &more, walk->error);
	}
	return ret;
}

static bool equal_seen(const void *array, uint32_t position, const void *key)
{
	return !memcmp((const struct seen *)array + position, key, sizeof(struct seen));
}

/*
 * Sets *@seen_ret to whether this struct or typedef was seen before. If it was not, notes that it
 * has now been seen.
 */
static int see(struct walk *walk, Dwarf_Die *die, const char *name, uint64_t size, bool *seen_ret)
{
	struct seen seen = { .name = name, .size = size, .tag = dwarf_tag(die),
			     .line = wv_die_number(die, DW_AT_decl_line) };
	uint32_t hash = wv_hash_bytes(&seen, sizeof(seen));
	struct seen *slot;

	*seen_ret = wv_hash_find(&walk->seen_index, hash, equal_seen, walk->seen.data, &seen) !=
		    WV_HASH_NONE;
	if (*seen_ret)
		return 0;
	slot = wv_vec_push(&walk->seen);
	if (!slot)
		return no_memory(walk);
	*slot = seen;
	return wv_hash_add(&walk->seen_index, hash, walk->seen.n - 1) ? no_memory(walk) : 0;
}

/* Adds the members of a struct, if it has a name of its own or gets one from the typedef @die. */
static int visit_type(struct walk *walk, Dwarf_Die *die)
{
	const char *name = wv_die_text(walk->dies, die, DW_AT_name);
	Dwarf_Die type = *die;
	uint32_t number;
	bool seen;
	int ret;

	if (!name || dwarf_hasattr(die, DW_AT_declaration))
		return 0;
	if (dwarf_tag(die) == DW_TAG_typedef &&
	    (!wv_die_reference(die, DW_AT_type, &type) || !wv_die_is_struct(&type) ||
	     dwarf_hasattr(&type, DW_AT_name)))
		return 0;
	ret = see(walk, die, name, wv_die_number(&type, DW_AT_byte_size), &seen);
	if (ret || seen)
		return ret;
	number = wv_pool_add(&walk->debug->names, name);
	return number == NONE ? no_memory(walk) : add_struct(walk, number, &type, 0, 0);
}

/*
 * Adds the definition of a function with code at @address. If @die has no line of its own,
 * dwarf_decl_line() takes the line of its abstract function.
 */
static int visit_function(struct walk *walk, Dwarf_Die *die, uint64_t address)
{
	struct wv_opening *opening;
	int line;

	if (dwarf_decl_line(die, &line) || line <= 0)
		return 0;
	opening = wv_vec_push(&walk->debug->openings);
	if (!opening)
		return no_memory(walk);
	*opening = (struct wv_opening){ .address = address, .line = line };
	return 0;
}

static int add_inlined_pieces(struct walk *walk, Dwarf_Die *die, uint32_t function, uint32_t depth)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t next = 0;

	while ((next = dwarf_ranges(die, next, &base, &start, &end)) > 0) {
		struct wv_inlined_piece *piece;

		if (start >= end)
			continue;
		piece = wv_vec_push(&walk->debug->inlined_pieces);
		if (!piece)
			return no_memory(walk);
		*piece = (struct wv_inlined_piece){ start, end, function, depth };
	}
	return 0;
}

/* Adds an inlined instance, by the name of the function that was inlined. */
static int visit_instance(struct walk *walk, Dwarf_Die *die, uint32_t depth)
{
	struct wv_inlined *instance;
	const char *name;
	uint64_t address;
	uint32_t number;

	if (!wv_die_entry(die, &address))
		return 0;
	name = wv_die_name(walk->dies, die);
	if (!name)
		return 0;
	number = wv_pool_add(&walk->debug->names, name);
	instance = wv_vec_push(&walk->debug->inlined);
	if (number == NONE || !instance)
		return no_memory(walk);
	*instance = (struct wv_inlined){ .address = address, .function = number };
	return add_inlined_pieces(walk, die, number, depth);
}

static int visit_compiled(struct walk *walk, Dwarf_Die *die, uint64_t address)
{
	struct wv_compiled_entry compiled = { .address = address }, *slot;
	int ret = wv_prototype_given(walk->dies, die, &compiled.given, walk->error);

	if (ret)
		return ret;
	slot = wv_vec_push(&walk->debug->compiled);
	if (!slot)
		return no_memory(walk);
	*slot = compiled;
	return 0;
}

/*
 * Returns whether GCC compiled the unit from C. @producer is then like "GNU C17 12.2.0 ...", and
 * not like "GNU C++..." or "GNU AS ...".
 */
static bool is_c(const char *producer)
{
	static const char gcc[] = "GNU C";

	return producer && !strncmp(producer, gcc, strlen(gcc)) && producer[strlen(gcc)] != '+';
}

static int visit_pieces(struct walk *walk, Dwarf_Die *die)
{
	uint64_t starts[PIECES_MAX];
	size_t n = wv_die_pieces(die, starts, PIECES_MAX);

	for (size_t i = 0; i < n; i++) {
		uint64_t *slot = wv_vec_push(&walk->debug->pieces);

		if (!slot)
			return no_memory(walk);
		*slot = starts[i];
	}
	return 0;
}

static int visit_subprogram(struct walk *walk, Dwarf_Die *die)
{
	uint64_t address;
	int ret;

	if (dwarf_hasattr(die, DW_AT_declaration) || !wv_die_entry(die, &address))
		return 0;
	ret = visit_function(walk, die, address);
	if (!ret && walk->convention)
		ret = visit_compiled(walk, die, address);
	if (!ret && walk->c)
		ret = visit_pieces(walk, die);
	return ret;
}

/*
 * Visits the functions and types of a unit. They may be children of the unit, of functions and of
 * blocks. The children of types are not visited: in C they are neither functions nor further types.
 */
static int visit_unit(struct walk *walk, Dwarf_Die *unit)
{
	const char *producer = wv_die_text(walk->dies, unit, DW_AT_producer);
	struct wv_walk entries;
	Dwarf_Die *die = unit;
	bool inside = true;
	int ret = 0;

	walk->convention = wv_unit_keeps_convention(producer);
	walk->c = is_c(producer);
	wv_walk_start(&entries, walk->dies, unit);
	for (;;) {
		ret = wv_walk_next(&entries, inside, &die, walk->error);
		if (ret || !die)
			return ret;
		inside = false;
		switch (dwarf_tag(die)) {
		case DW_TAG_structure_type: case DW_TAG_union_type: case DW_TAG_typedef:
			ret = walk->members ? visit_type(walk, die) : 0;
			break;
		case DW_TAG_inlined_subroutine:
			ret = visit_instance(walk, die, entries.depth);
			inside = true;
			break;
		case DW_TAG_subprogram:
			ret = visit_subprogram(walk, die);
			inside = true;
			break;
		case DW_TAG_lexical_block:
			inside = true;
			break;
		}
		if (ret)
			return ret;
	}
}

static int compare_instances(const void *left, const void *right, void *context)
{
	const struct wv_pool *names = context;
	const struct wv_inlined *a = left, *b = right;

	if (a->function != b->function)
		return strcmp(wv_pool_get(names, a->function), wv_pool_get(names, b->function));
	return a->address < b->address ? -1 : a->address > b->address;
}

static int compare_openings(const void *left, const void *right)
{
	const struct wv_opening *a = left, *b = right;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return a->line < b->line ? -1 : a->line > b->line;
}

/*
 * Sorts the inlined instances by name and address, and removes repeated ones: nested instances of
 * one function may have the same entry.
 */
static void sort_instances(struct wv_debug *debug)
{
	size_t n = 0;

	if (!debug->inlined.n)
		return;
	qsort_r(debug->inlined.data, debug->inlined.n, sizeof(*debug->inlined.data),
		compare_instances, &debug->names);
	for (size_t i = 0; i < debug->inlined.n; i++)
		if (!n || compare_instances(&debug->inlined.data[n - 1], &debug->inlined.data[i],
					    &debug->names))
			debug->inlined.data[n++] = debug->inlined.data[i];
	debug->inlined.n = n;
}

static int compare_inlined_pieces(const void *left, const void *right)
{
	const struct wv_inlined_piece *a = left, *b = right;

	return wv_order(a->start, b->start) ?: wv_order(a->depth, b->depth) ?:
	       wv_order(a->end, b->end);
}

static int compare_compiled(const void *left, const void *right)
{
	uint64_t a = ((const struct wv_compiled_entry *)left)->address;
	uint64_t b = ((const struct wv_compiled_entry *)right)->address;

	return a < b ? -1 : a > b;
}

/*
 * Sorts .compiled by address. If several functions have the same address, keeps only the one with
 * the most argument registers.
 */
static void sort_compiled(struct wv_debug *debug)
{
	struct wv_compiled_entry *list = debug->compiled.data;
	size_t n = 0;

	if (!debug->compiled.n)
		return;
	qsort(list, debug->compiled.n, sizeof(*list), compare_compiled);
	for (size_t i = 0; i < debug->compiled.n; i++) {
		if (!n || list[n - 1].address != list[i].address)
			list[n++] = list[i];
		else if (list[n - 1].given < list[i].given)
			list[n - 1] = list[i];
	}
	debug->compiled.n = n;
}

static int compare_pieces(const void *left, const void *right)
{
	return wv_order(*(const uint64_t *)left, *(const uint64_t *)right);
}

bool wv_debug_is_c(const struct wv_debug *debug, uint64_t address)
{
	return debug->pieces.n && bsearch(&address, debug->pieces.data, debug->pieces.n,
					  sizeof(address), compare_pieces);
}

const struct wv_compiled_entry *wv_debug_compiled(const struct wv_debug *debug, uint64_t address)
{
	const struct wv_compiled_entry key = { .address = address };

	return debug->compiled.n ? bsearch(&key, debug->compiled.data, debug->compiled.n,
					   sizeof(key), compare_compiled)
				 : NULL;
}

int wv_debug_init(struct wv_debug *debug, struct wv_image *image, bool members,
		  struct wv_error *error)
{
	struct walk walk = { .debug = debug, .members = members, .error = error };
	bool more = true;
	Dwarf_Die unit;
	int ret;

	memset(debug, 0, sizeof(*debug));
	ret = wv_dies_create(image, &walk.dies, error);
	while (!ret && more) {
		ret = wv_dies_next_unit(walk.dies, &more, &unit, error);
		if (!ret && more)
			ret = visit_unit(&walk, &unit);
	}
	wv_vec_deinit(&walk.seen);
	wv_hash_deinit(&walk.seen_index);
	wv_dies_destroy(walk.dies);
	if (ret) {
		wv_debug_deinit(debug);
		return ret;
	}
	sort_instances(debug);
	if (debug->inlined_pieces.n)
		qsort(debug->inlined_pieces.data, debug->inlined_pieces.n,
		      sizeof(*debug->inlined_pieces.data), compare_inlined_pieces);
	sort_compiled(debug);
	if (debug->pieces.n)
		qsort(debug->pieces.data, debug->pieces.n, sizeof(*debug->pieces.data),
		      compare_pieces);
	if (debug->openings.n)
		qsort(debug->openings.data, debug->openings.n, sizeof(*debug->openings.data),
		      compare_openings);
	return 0;
}

void wv_debug_deinit(struct wv_debug *debug)
{
	wv_pool_deinit(&debug->names);
	wv_vec_deinit(&debug->members);
	wv_hash_deinit(&debug->member_index);
	wv_vec_deinit(&debug->inlined);
	wv_vec_deinit(&debug->inlined_pieces);
	wv_vec_deinit(&debug->compiled);
	wv_vec_deinit(&debug->pieces);
	wv_vec_deinit(&debug->openings);
	memset(debug, 0, sizeof(*debug));
}

bool wv_debug_offset(const struct wv_debug *debug, const char *path, uint64_t *ret)
{
	size_t n = strcspn(path, ".");
	uint32_t structure = NONE;
	char name[128];

	*ret = 0;
	if (n < sizeof(name)) {
		memcpy(name, path, n);
		name[n] = '\0';
		structure = wv_pool_find(&debug->names, name);
	}
	while (path[n] && structure != NONE) {
		struct wv_member key = { .structure = structure };
		const struct wv_member *member;
		uint32_t found;

		path += n + 1;
		n = strcspn(path, ".");
		if (!n || n >= sizeof(name))
			return false;
		memcpy(name, path, n);
		name[n] = '\0';
		key.member = wv_pool_find(&debug->names, name);
		if (key.member == NONE)
			return false;
		found = wv_hash_find(&debug->member_index, hash_member(&key), equal_member,
				     debug->members.data, &key);
		if (found == WV_HASH_NONE)
			return false;
		member = &debug->members.data[found];
		if (member->ambiguous)
			return false;
		*ret += member->offset;
		structure = member->type;
		if (!path[n])
			return true;
	}
	return false;
}
