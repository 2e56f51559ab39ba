// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds $ret, the value that a function or call has returned. The value is in the return register
 * of the calling convention. Its type is in DWARF: the return type of the function, or of the
 * member through which the function was called. If the type is not known, $ret is the whole
 * register.
 */
#include <string.h>

#include "runtime/plan-rules.h"
#include "runtime/frame.h"
#include "aspect/resolve/values-member.h"
#include "aspect/resolve/values-return.h"

/*
 * Gets the return type of the function in @scope. *@known_ret is false if DWARF does not have the
 * function.
 */
static void type_of_function(struct wv_finder *finder, const struct wv_scope *scope,
			     bool *known_ret, struct wv_finding *ret)
{
	*known_ret = scope->in_function;
	if (!scope->in_function)
		return;
	if (scope->returned)
		wv_type_describe(wv_scopes_dies(finder->scopes), scope->returned, &ret->type);
	else
		ret->found.why = "the function returns nothing";
}

/*
 * Gets the return type of the function at @address. The search may move the finder to another unit
 * of DWARF. So it looks up the finder's own scope again at the end.
 */
static int type_of_callee(struct wv_finder *finder, uint64_t address, bool *known_ret,
			  struct wv_finding *ret)
{
	struct wv_scope callee;
	int failed = wv_scopes_find(finder->scopes, address, &callee, finder->error);

	*known_ret = false;
	if (failed)
		return failed;
	type_of_function(finder, &callee, known_ret, ret);
	wv_scope_deinit(&callee);
	wv_scope_deinit(&finder->scope);
	return wv_scopes_find(finder->scopes, finder->at, &finder->scope, finder->error);
}

/* Gets the return type of the functions to which the accessed member, a pointer, points. */
static int type_of_member(struct wv_finder *finder, bool *known_ret, struct wv_finding *ret)
{
	struct wv_type pointer;
	uint64_t returned;
	int failed = wv_find_member_type(finder, known_ret, &pointer);

	if (failed || !*known_ret)
		return failed;
	*known_ret = wv_type_returned(wv_scopes_dies(finder->scopes), pointer.entry, &returned);
	if (!*known_ret)
		return 0;
	if (returned)
		wv_type_describe(wv_scopes_dies(finder->scopes), returned, &ret->type);
	else
		ret->found.why = "the function returns nothing";
	return 0;
}

static int type_of_call(struct wv_finder *finder, bool *known_ret, struct wv_finding *ret)
{
	const struct wv_match *call = finder->joinpoint->from;
	struct wv_insn insn;

	*known_ret = false;
	if (call->structure)
		return type_of_member(finder, known_ret, ret);
	if (!wv_decode(finder->decoder, call->bytes, call->nr_bytes, call->address, &insn) ||
	    !insn.direct)
		return 0;
	return type_of_callee(finder, insn.target, known_ret, ret);
}

int wv_find_return(struct wv_finder *finder, struct wv_finding *ret)
{
	const struct wv_selected *joinpoint = finder->joinpoint;
	bool known = false;
	int failed = 0;

	if (joinpoint->tail)
		ret->found.why = "the function ends in a tail call here, and the function that is "
				 "called has not returned";
	else if (joinpoint->when == WEFT_RETURNED)
		failed = type_of_call(finder, &known, ret);
	else if (!strcmp(joinpoint->match->kind, "exit"))
		type_of_function(finder, &finder->scope, &known, ret);
	else if (wr_is_around(joinpoint->when))
		ret->found.why = "around-advice has $return";
	else
		ret->found.why = "nothing returns here: it is for after-advice of calls and "
				 "functions, and for exits";
	if (failed || ret->found.why)
		return failed;
	if (!known)
		ret->type = (struct wv_type){ .kind = WV_TYPE_INTEGER, .text = "unsigned long",
					      .size = sizeof(uint64_t) };
	if (ret->type.kind != WV_TYPE_INTEGER && ret->type.kind != WV_TYPE_POINTER) {
		ret->found.why = "its type has no value in C's integers";
		return 0;
	}
	ret->found.kind = WV_FOUND_VALUE;
	ret->found.registers = WR_BIT(WR_RAX);
	strcpy(ret->found.text, "wr_reg(weft, WR_RAX)");
	return 0;
}
