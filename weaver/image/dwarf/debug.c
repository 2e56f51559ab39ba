// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One walk over all entries of .debug_info; see debug.h. Each of a kernel's thousands of units describes the structs of all
 * headers again: a struct of the same name, size and line is looked into once.
 */
#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "image/dwarf/debug.h"
#include "image/dwarf/dies.h"

#define NONE WV_POOL_FAILED
#define NESTING_MAX 16 /* of anonymous structs, and of qualifiers around a type */
#define PIECES_MAX 8 /* of one function; GCC makes two */

/* A struct or typedef that was looked into. The linker keeps equal names at one place. */
struct seen {
	const char *name;
	uint64_t size, line, tag;
};

struct walk {
	struct wv_debug *debug;
	struct wv_dies *dies;
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
 * The struct or union behind typedefs, qualifiers and arrays. Its tag is 0 when there is none behind; *@name is its own
 * name, or the typedef's, or NULL.
 */
static int peel(struct walk *walk, uint64_t type, struct wv_die *ret, const char **name)
{
	*name = NULL;
	ret->tag = 0;
	for (size_t step = 0; type && step < NESTING_MAX; step++) {
		int failed = wv_dies_read(walk->dies, type, ret, walk->error);

		if (failed)
			return failed;
		switch (ret->tag) {
		case DW_TAG_structure_type: case DW_TAG_union_type:
			*name = ret->name ? ret->name : *name;
			return 0;
		case DW_TAG_typedef:
			*name = ret->name;
			break;
		case DW_TAG_const_type: case DW_TAG_volatile_type: case DW_TAG_atomic_type:
		case DW_TAG_array_type:
			break;
		default:
			type = 0;
			continue;
		}
		type = ret->type;
	}
	ret->tag = 0;
	return 0;
}

static int add_struct(struct walk *walk, uint32_t structure, const struct wv_die *die,
		      uint64_t base, size_t level);

/* A member of the struct named @structure, which begins @base bytes before the level that @die stands in. */
static int add_named(struct walk *walk, uint32_t structure, const struct wv_die *die, uint64_t base,
		     size_t level)
{
	struct wv_pool *names = &walk->debug->names;
	uint64_t offset = die->flags & WV_DIE_HAS_BIT_OFFSET ? die->bit_offset / 8 :
							       die->member_offset;
	struct wv_member member = { .structure = structure, .type = NONE, .offset = base + offset };
	struct wv_die type;
	const char *type_name;
	int ret = peel(walk, die->type, &type, &type_name);

	if (ret)
		return ret;
	if (!die->name)
		return type.tag ? add_struct(walk, structure, &type, base + offset, level + 1) : 0;
	member.member = wv_pool_add(names, die->name);
	if (type.tag && type_name)
		member.type = wv_pool_add(names, type_name);
	if (type.tag && !type_name) {
		char synthetic[256];

		snprintf(synthetic, sizeof(synthetic), "%s.%s", wv_pool_get(names, structure),
			 die->name);
		member.type = wv_pool_add(names, synthetic);
		if (member.type != NONE)
			ret = add_struct(walk, member.type, &type, 0, level + 1);
	}
	if (member.member == NONE || (type.tag && member.type == NONE))
		return no_memory(walk);
	return ret ? ret : add_member(walk, &member);
}

static int add_struct(struct walk *walk, uint32_t structure, const struct wv_die *die,
		      uint64_t base, size_t level)
{
	uint64_t at = die->next, end = wv_dies_unit_end(walk->dies);
	size_t depth = die->flags & WV_DIE_CHILDREN ? 1 : 0;

	if (level > NESTING_MAX)
		return 0;
	while (depth && at < end) {
		struct wv_die child;
		int ret = wv_dies_read(walk->dies, at, &child, walk->error);

		if (!ret && depth == 1 && child.tag == DW_TAG_member)
			ret = add_named(walk, structure, &child, base, level);
		if (ret)
			return ret;
		if (!child.tag)
			depth--;
		else if (child.flags & WV_DIE_CHILDREN)
			depth++;
		at = child.next;
	}
	return 0;
}

static bool equal_seen(const void *array, uint32_t position, const void *key)
{
	return !memcmp((const struct seen *)array + position, key, sizeof(struct seen));
}

/* Whether a struct or typedef was seen before; if not it is now. */
static int see(struct walk *walk, const struct wv_die *die, uint64_t size, bool *seen_ret)
{
	struct seen seen = { .name = die->name, .size = size, .line = die->line, .tag = die->tag };
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

/* A struct with a name of its own, or one that gets its name from the typedef @die. */
static int visit_type(struct walk *walk, const struct wv_die *die)
{
	struct wv_die type = *die;
	uint32_t name;
	bool seen;
	int ret;

	if (!die->name || (die->flags & WV_DIE_DECLARATION))
		return 0;
	if (die->tag == DW_TAG_typedef) {
		if (!die->type)
			return 0;
		ret = wv_dies_read(walk->dies, die->type, &type, walk->error);
		if (ret || type.name ||
		    (type.tag != DW_TAG_structure_type && type.tag != DW_TAG_union_type))
			return ret;
	}
	ret = see(walk, die, type.byte_size, &seen);
	if (ret || seen)
		return ret;
	name = wv_pool_add(&walk->debug->names, die->name);
	return name == NONE ? no_memory(walk) : add_struct(walk, name, &type, 0, 0);
}

/* A definition with code; the line is with the function that a copy out of line is of. */
static int visit_function(struct walk *walk, const struct wv_die *die)
{
	struct wv_die origin = *die;
	struct wv_opening *opening;
	uint64_t address;

	if ((die->flags & WV_DIE_DECLARATION) || !wv_dies_entry(walk->dies, die, &address))
		return 0;
	for (size_t step = 0; origin.origin && !origin.line && step < NESTING_MAX; step++) {
		int ret = wv_dies_read(walk->dies, origin.origin, &origin, walk->error);

		if (ret)
			return ret;
	}
	if (!origin.line || origin.line > UINT32_MAX)
		return 0;
	opening = wv_vec_push(&walk->debug->openings);
	if (!opening)
		return no_memory(walk);
	*opening = (struct wv_opening){ .address = address, .line = origin.line };
	return 0;
}

/* The name of an inlined function: its own or, for a copy of a copy, the one that it goes back to. */
static int visit_copy(struct walk *walk, const struct wv_die *die)
{
	struct wv_die origin = { 0 };
	struct wv_inlined *copy;
	uint64_t address, at = die->origin;
	uint32_t name;

	if (!wv_dies_entry(walk->dies, die, &address))
		return 0;
	for (size_t step = 0; at && !origin.name && step < NESTING_MAX; step++) {
		int ret = wv_dies_read(walk->dies, at, &origin, walk->error);

		if (ret)
			return ret;
		at = origin.origin;
	}
	if (!origin.name)
		return 0;
	name = wv_pool_add(&walk->debug->names, origin.name);
	copy = wv_vec_push(&walk->debug->inlined);
	if (name == NONE || !copy)
		return no_memory(walk);
	*copy = (struct wv_inlined){ .address = address, .function = name };
	return 0;
}

/*
 * Do the functions of a unit expect a call to take every register that the convention gives it, and no other? Not
 * assembler's; and GCC's -fipa-ra, on by itself with -O2, keeps values over a call in registers that it knows the callee to
 * leave alone. Profiling (-pg, told as -p) and live patching turn that off. Without -mskip-rax-setup a variadic
 * function would be given something in rax.
 */
static bool keeps_convention(const char *producer)
{
	return producer && !strncmp(producer, "GNU C", strlen("GNU C")) &&
	       strstr(producer, " -mskip-rax-setup") &&
	       (strstr(producer, " -p ") || strstr(producer, " -fno-ipa-ra") ||
		strstr(producer, " -flive-patching"));
}

static int visit_compiled(struct walk *walk, const struct wv_die *die)
{
	struct wv_compiled compiled, *slot;
	int ret;

	if (!wv_dies_entry(walk->dies, die, &compiled.address))
		return 0;
	ret = wv_prototype_given(walk->dies, die, &compiled.given, walk->error);
	if (ret)
		return ret;
	slot = wv_vec_push(&walk->debug->compiled);
	if (!slot)
		return no_memory(walk);
	*slot = compiled;
	return 0;
}

/* "GNU C17 12.2.0 ..."; not "GNU C++", nor "GNU AS" */
static bool is_c(const char *producer)
{
	static const char gcc[] = "GNU C";

	return producer && !strncmp(producer, gcc, strlen(gcc)) && producer[strlen(gcc)] != '+';
}

static int visit_pieces(struct walk *walk, const struct wv_die *die)
{
	uint64_t starts[PIECES_MAX];
	size_t n = die->flags & WV_DIE_DECLARATION ? 0 : wv_dies_pieces(walk->dies, die, starts, PIECES_MAX);

	for (size_t i = 0; i < n; i++) {
		uint64_t *slot = wv_vec_push(&walk->debug->pieces);

		if (!slot)
			return no_memory(walk);
		*slot = starts[i];
	}
	return 0;
}

static int visit_unit(struct walk *walk, const struct wv_die *first)
{
	bool convention = keeps_convention(first->producer), c = is_c(first->producer);
	uint64_t end = wv_dies_unit_end(walk->dies), at = first->next;
	int ret = 0;

	while (!ret && at < end) {
		struct wv_die die;

		ret = wv_dies_read(walk->dies, at, &die, walk->error);
		if (ret)
			return ret;
		at = die.next;
		switch (die.tag) {
		case DW_TAG_structure_type: case DW_TAG_union_type: case DW_TAG_typedef:
			ret = visit_type(walk, &die);
			break;
		case DW_TAG_inlined_subroutine:
			ret = visit_copy(walk, &die);
			break;
		case DW_TAG_subprogram:
			ret = visit_function(walk, &die);
			if (!ret && convention)
				ret = visit_compiled(walk, &die);
			if (!ret && c)
				ret = visit_pieces(walk, &die);
			break;
		}
	}
	return ret;
}

static int compare_copies(const void *left, const void *right, void *context)
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

/* Copies that are entered at one place, one inside the other, are one. */
static void sort_copies(struct wv_debug *debug)
{
	size_t n = 0;

	if (!debug->inlined.n)
		return;
	qsort_r(debug->inlined.data, debug->inlined.n, sizeof(*debug->inlined.data), compare_copies,
		&debug->names);
	for (size_t i = 0; i < debug->inlined.n; i++)
		if (!n || compare_copies(&debug->inlined.data[n - 1], &debug->inlined.data[i],
					 &debug->names))
			debug->inlined.data[n++] = debug->inlined.data[i];
	debug->inlined.n = n;
}

static int compare_compiled(const void *left, const void *right)
{
	uint64_t a = ((const struct wv_compiled *)left)->address;
	uint64_t b = ((const struct wv_compiled *)right)->address;

	return a < b ? -1 : a > b;
}

/* Of several that begin at one address, the one that is given most stands for all. */
static void sort_compiled(struct wv_debug *debug)
{
	struct wv_compiled *list = debug->compiled.data;
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
	return debug->pieces.n && bsearch(&address, debug->pieces.data, debug->pieces.n, sizeof(address), compare_pieces);
}

const struct wv_compiled *wv_debug_compiled(const struct wv_debug *debug, uint64_t address)
{
	const struct wv_compiled key = { .address = address };

	return debug->compiled.n ? bsearch(&key, debug->compiled.data, debug->compiled.n, sizeof(key),
					   compare_compiled) : NULL;
}

int wv_debug_init(struct wv_debug *debug, struct wv_image *image, struct wv_error *error)
{
	struct walk walk = { .debug = debug, .error = error };
	struct wv_die first;
	bool more = true;
	int ret;

	memset(debug, 0, sizeof(*debug));
	ret = wv_dies_create(image, &walk.dies, error);
	while (!ret && more) {
		ret = wv_dies_next_unit(walk.dies, &more, &first, error);
		if (!ret && more)
			ret = visit_unit(&walk, &first);
	}
	wv_vec_deinit(&walk.seen);
	wv_hash_deinit(&walk.seen_index);
	wv_dies_destroy(walk.dies);
	if (ret) {
		wv_debug_deinit(debug);
		return ret;
	}
	sort_copies(debug);
	sort_compiled(debug);
	if (debug->pieces.n)
		qsort(debug->pieces.data, debug->pieces.n, sizeof(*debug->pieces.data), compare_pieces);
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
