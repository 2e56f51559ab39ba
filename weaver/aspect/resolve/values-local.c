// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds $(name): locals and parameters at a shadow; see values-local.h. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "runtime/frame.h"
#include "aspect/resolve/values-local.h"

/*
 * Returns the greatest depth of inlining at which variables are looked up; 0: all depths. An
 * access, or the entry or end of a function, belongs to one function of the source. The aspect's
 * author knows the variables of that function, but not those of other functions that the compiler
 * has inlined into it, so these are ignored. For an instruction or a line, all variables in scope
 * are looked up.
 */
static size_t wanted_depth(const struct wv_finder *finder)
{
	const struct wv_match *match = finder->joinpoint->match;
	size_t depth = 0;

	bool whole = !strcmp(match->kind, "entry") || !strcmp(match->kind, "inlined") ||
		     (!strcmp(match->kind, "exit") && finder->joinpoint->when == WEFT_LEAVING);

	if (!match->function || (!match->joinpoint && !whole))
		return 0;
	wv_vec_for_each(scoped, &finder->scope.list)
		if (scoped->function && !strcmp(scoped->function, match->function) &&
		    scoped->function_depth > depth)
			depth = scoped->function_depth;
	return depth;
}

/*
 * Returns the variable that @name means here. Of several in scope, takes one of the innermost scope
 * that has this name; of several there, the last one.
 */
static struct wv_scoped *find_scoped(const struct wv_finder *finder, const char *name)
{
	struct wv_scoped *found = NULL;
	size_t depth = wanted_depth(finder);

	wv_vec_for_each(scoped, &finder->scope.list)
		if ((!depth || scoped->function_depth <= depth) && !strcmp(scoped->name, name) &&
		    (!found || scoped->depth >= found->depth))
			found = scoped;
	return found;
}

static void locate(struct wv_finder *finder, struct wv_scoped *scoped, struct wv_found *ret)
{
	struct wv_expression_input input = {
		.dies = wv_scopes_dies(finder->scopes), .address = finder->at,
		.text = finder->text, .module = finder->joinpoint->match->module,
		.cfa = &finder->cfa,
		.at_entry = !strcmp(finder->joinpoint->match->kind, "entry"),
		.frame_base = finder->scope.has_frame_base ? &finder->scope.frame_base : NULL,
	};

	*ret = (struct wv_found){ 0 };
	if (scoped->has_constant) {
		ret->kind = WV_FOUND_VALUE;
		snprintf(ret->text, sizeof(ret->text), "0x%" PRIx64 "UL", scoped->constant);
		return;
	}
	if (scoped->has_location)
		wv_expression_compile(&input, &scoped->location, ret);
	else
		ret->why = "it has no location here: the compiler does not keep it";
}

/*
 * Turns the C of an address into the C of the value at this address, unless the type is an
 * aggregate. Makes @finding unavailable if its type is neither an integer, a pointer nor an
 * aggregate, or if it is an aggregate in registers.
 */
static void take(struct wv_finding *finding)
{
	struct wv_found *found = &finding->found;
	char address[WV_FOUND_TEXT];

	if (found->kind == WV_FOUND_NOT)
		return;
	switch (finding->type.kind) {
	case WV_TYPE_NONE:
		found->kind = WV_FOUND_NOT;
		found->why = "its type has no value in C's integers";
		return;
	case WV_TYPE_STRUCT: case WV_TYPE_MEMORY:
		if (found->kind == WV_FOUND_MEMORY)
			return;
		found->kind = WV_FOUND_NOT;
		found->why = "it is in registers, and only what is in memory has members";
		return;
	case WV_TYPE_INTEGER: case WV_TYPE_POINTER:
		break;
	}
	if (found->kind == WV_FOUND_VALUE)
		return;
	memcpy(address, found->text, sizeof(address));
	found->kind = WV_FOUND_VALUE;
	if (snprintf(found->text, sizeof(found->text), "wr_load(%s, %u)", address,
		     (unsigned int)finding->type.size) < (int)sizeof(found->text))
		return;
	found->kind = WV_FOUND_NOT;
	found->why = "its location is too long";
}

static void find_scoped_value(struct wv_finder *finder, struct wv_scoped *scoped,
			      struct wv_finding *ret)
{
	const struct wv_dies *dies = wv_scopes_dies(finder->scopes);

	wv_type_describe(dies, scoped->type, &ret->type);
	if (!finder->has_cfa)
		finder->cfa = wv_frames_find(dies, finder->at);
	finder->has_cfa = true;
	locate(finder, scoped, &ret->found);
	take(ret);
}

void wv_find_local(struct wv_finder *finder, const char *name, struct wv_finding *ret)
{
	struct wv_scoped *scoped = find_scoped(finder, name);

	if (scoped) {
		find_scoped_value(finder, scoped, ret);
		return;
	}
	ret->unknown = true;
	ret->found.why = finder->scope.list.n ? "no variable of this name is in scope" :
						"the kernel's DWARF knows no variables here";
}

void wv_find_available(struct wv_finder *finder, void (*visit)(const char *name, void *context),
		       void *context)
{
	wv_vec_for_each(scoped, &finder->scope.list) {
		struct wv_finding finding = { 0 };

		if (find_scoped(finder, scoped->name) != scoped)
			continue;
		find_scoped_value(finder, scoped, &finding);
		if (finding.found.kind != WV_FOUND_NOT)
			visit(scoped->name, context);
	}
}
