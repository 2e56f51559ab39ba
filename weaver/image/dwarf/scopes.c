// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the entries of .debug_info whose code contains an address; see scopes.h. The outermost
 * functions of a unit are listed once, and the list serves all successive look-ups in this unit.
 * libdw's dwarf_getscopes() would walk the whole unit for each look-up.
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "image/dwarf/scopes.h"

#define NESTING_MAX 64 /* maximum nesting of scopes */

struct wv_scopes {
	struct wv_dies *dies;
	Dwarf_Die unit; /* unit of the last look-up; .addr NULL: none */
	WV_VEC(Dwarf_Die) functions; /* that unit's outermost scopes */
};

/* The arguments of walk(): those of the search, and where in the nest of scopes it is. */
struct position {
	struct wv_scopes *scopes;
	struct wv_scope *scope;
	uint64_t address;
	const char *function;
	size_t depth, function_depth;
	struct wv_error *error;
};

int wv_scopes_create(struct wv_image *image, struct wv_scopes **ret, struct wv_error *error)
{
	struct wv_scopes *scopes = calloc(1, sizeof(*scopes));
	int failed;

	*ret = NULL;
	if (!scopes)
		return wv_no_memory(error);
	failed = wv_dies_create(image, &scopes->dies, error);
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
	wv_vec_deinit(&scopes->functions);
	free(scopes);
}

const struct wv_dies *wv_scopes_dies(const struct wv_scopes *scopes)
{
	return scopes->dies;
}

const Dwarf_Die *wv_scopes_unit(const struct wv_scopes *scopes)
{
	return scopes->unit.addr ? &scopes->unit : NULL;
}

/* The offset in .debug_info of @die's type; 0: it has none. */
static uint64_t type_of(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Die type;

	return dwarf_attr_integrate(die, DW_AT_type, &attribute) &&
	       dwarf_formref_die(&attribute, &type) ? dwarf_dieoffset(&type) : 0;
}

/*
 * Adds a variable. A variable of an inlined instance has some attributes only in its abstract
 * entry; dwarf_attr_integrate() finds them there.
 */
static int add_variable(const struct position *position, Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	struct wv_scoped scoped = {
		.name = wv_die_name(position->scopes->dies, die), .function = position->function,
		.depth = position->depth, .function_depth = position->function_depth,
		.parameter = dwarf_tag(die) == DW_TAG_formal_parameter,
	}, *slot;

	if (!scoped.name || dwarf_hasattr(die, DW_AT_declaration))
		return 0;
	scoped.type = type_of(die);
	scoped.has_location = dwarf_attr_integrate(die, DW_AT_location, &scoped.location);
	/* Only numbers are used; constants that are strings or blocks are ignored. */
	scoped.has_constant = dwarf_attr_integrate(die, DW_AT_const_value, &attribute) &&
			      !dwarf_formudata(&attribute, &scoped.constant);
	slot = wv_vec_push(&position->scope->list);
	if (!slot)
		return wv_no_memory(position->error);
	*slot = scoped;
	return 0;
}

static bool is_scope(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine ||
	       tag == DW_TAG_lexical_block;
}

static int walk(const struct position *position, Dwarf_Die *parent);

static int enter(const struct position *outer, Dwarf_Die *die)
{
	struct wv_scope *scope = outer->scope;
	struct position inner = *outer;
	Dwarf_Attribute attribute;

	if (++inner.depth > NESTING_MAX)
		return 0;
	if (dwarf_tag(die) == DW_TAG_subprogram) {
		scope->in_function = true;
		scope->has_frame_base = dwarf_attr(die, DW_AT_frame_base, &scope->frame_base);
		scope->returned = type_of(die);
		scope->noreturn = dwarf_attr_integrate(die, DW_AT_noreturn, &attribute);
	}
	if (dwarf_tag(die) != DW_TAG_lexical_block) {
		inner.function = wv_die_name(inner.scopes->dies, die);
		inner.function_depth = inner.depth;
	}
	return walk(&inner, die);
}

/* Walks the children of @parent, a scope that contains the address. */
static int walk(const struct position *position, Dwarf_Die *parent)
{
	const struct wv_dies *dies = position->scopes->dies;
	Dwarf_Die die;
	bool more;
	int failed = wv_dies_child(dies, parent, &more, &die, position->error);

	while (!failed && more) {
		int tag = dwarf_tag(&die);

		if (is_scope(&die) && dwarf_haspc(&die, position->address) > 0)
			failed = enter(position, &die);
		else if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter)
			failed = add_variable(position, &die);
		else if (tag == DW_TAG_unspecified_parameters && position->depth == 1)
			position->scope->variadic = true;
		if (!failed)
			failed = wv_dies_next(dies, &die, &more, position->error);
	}
	return failed;
}

static int list_functions(struct wv_scopes *scopes, struct wv_error *error)
{
	Dwarf_Die die;
	bool more;
	int failed = wv_dies_child(scopes->dies, &scopes->unit, &more, &die, error);

	scopes->functions.n = 0;
	for (; !failed && more; failed = wv_dies_next(scopes->dies, &die, &more, error)) {
		Dwarf_Die *slot;

		if (!is_scope(&die))
			continue;
		slot = wv_vec_push(&scopes->functions);
		if (!slot)
			return wv_no_memory(error);
		*slot = die;
	}
	return failed;
}

/*
 * Sets scopes->unit to the unit with the code at @address; empty if .debug_aranges names no unit.
 */
static int go_to_unit(struct wv_scopes *scopes, uint64_t address, struct wv_error *error)
{
	const void *before = scopes->unit.addr;
	int failed;

	if (!dwarf_addrdie(scopes->dies->dwarf, address, &scopes->unit)) {
		scopes->unit.addr = NULL;
		return 0;
	}
	if (scopes->unit.addr == before)
		return 0;
	failed = list_functions(scopes, error);
	if (failed)
		scopes->unit.addr = NULL;
	return failed;
}

int wv_scopes_find(struct wv_scopes *scopes, uint64_t address, struct wv_scope *ret,
		   struct wv_error *error)
{
	struct position position = {
		.scopes = scopes, .scope = ret, .address = address, .error = error
	};
	int failed;

	memset(ret, 0, sizeof(*ret));
	failed = go_to_unit(scopes, address, error);
	if (failed || !scopes->unit.addr)
		return failed;
	wv_vec_for_each(function, &scopes->functions)
		if (!failed && dwarf_haspc(function, address) > 0)
			failed = enter(&position, function);
	if (failed)
		wv_scope_deinit(ret);
	return failed;
}

void wv_scope_deinit(struct wv_scope *scope)
{
	wv_vec_deinit(&scope->list);
	memset(scope, 0, sizeof(*scope));
}

/* The arguments and the result of a search for a call. */
struct call_search {
	struct wv_scopes *scopes;
	uint64_t address, returns;
	bool found;
	Dwarf_Die function;
	struct wv_error *error;
};

/*
 * Returns whether @die is the call that is searched. DWARF 5 has other names for the entries and
 * attributes of calls than GCC had before.
 */
static bool is_call(struct call_search *search, Dwarf_Die *die)
{
	const int tag = dwarf_tag(die);
	Dwarf_Attribute attribute;
	Dwarf_Addr returns;

	if (tag != DW_TAG_call_site && tag != DW_TAG_GNU_call_site)
		return false;
	if (!dwarf_attr(die, tag == DW_TAG_call_site ? DW_AT_call_return_pc : DW_AT_low_pc,
			&attribute) ||
	    dwarf_formaddr(&attribute, &returns) || returns != search->returns)
		return false;
	if (!wv_die_reference(die, tag == DW_TAG_call_site ? DW_AT_call_origin :
							     DW_AT_abstract_origin,
			      &search->function))
		search->function.addr = NULL;
	return true;
}

static int search_call(struct call_search *search, Dwarf_Die *parent, size_t depth)
{
	const struct wv_dies *dies = search->scopes->dies;
	Dwarf_Die die;
	bool more;
	int failed = wv_dies_child(dies, parent, &more, &die, search->error);

	while (!failed && more && !search->found) {
		if (is_scope(&die) && depth < NESTING_MAX &&
		    dwarf_haspc(&die, search->address) > 0)
			failed = search_call(search, &die, depth + 1);
		else
			search->found = is_call(search, &die);
		if (!failed && !search->found)
			failed = wv_dies_next(dies, &die, &more, search->error);
	}
	return failed;
}

int wv_scopes_call(struct wv_scopes *scopes, uint64_t address, uint64_t returns, bool *found_ret,
		   Dwarf_Die *function_ret, struct wv_error *error)
{
	struct call_search search = {
		.scopes = scopes, .address = address, .returns = returns, .error = error,
	};
	int failed = go_to_unit(scopes, address, error);

	*found_ret = false;
	if (failed || !scopes->unit.addr)
		return failed;
	wv_vec_for_each(function, &scopes->functions)
		if (!failed && !search.found && dwarf_haspc(function, address) > 0)
			failed = search_call(&search, function, 0);
	*found_ret = search.found;
	*function_ret = search.function;
	return failed;
}
