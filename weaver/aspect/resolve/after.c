// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds where after-advice runs; see after.h. Advice after an instruction runs at the next
 * instruction, to which control continues. After a jump, a return, or a call that does not return
 * to this function, control goes elsewhere. Then the joinpoint is refused. To take another
 * instruction nearby would let the advice run at the wrong time.
 */
#include <stdlib.h>
#include <string.h>

#include "aspect/resolve/after.h"
#include "database/pointcut-kinds.h"

int wv_afters_init(struct wv_afters *afters, struct wv_db *db, struct wv_function_ranges *ranges,
		   struct wv_error *error)
{
	*afters = (struct wv_afters){ .db = db, .ranges = ranges };
	return wv_decoder_create(&afters->decoder, error);
}

void wv_afters_deinit(struct wv_afters *afters)
{
	wv_vec_for_each(matches, &afters->made)
		wv_matches_deinit(matches);
	wv_vec_deinit(&afters->made);
	wv_decoder_destroy(afters->decoder);
	afters->decoder = NULL;
}

/*
 * Queries the exits or the blocks of the function that contains @match. The function is chosen by
 * its address, because other functions may have the same name. Sets *@ret to the index of the
 * result in .made. The result is empty if the function has no exits or no blocks.
 */
static int query_function(struct wv_afters *afters, const struct wv_match *match,
			  enum wv_pointcut_type type, bool ends, size_t *ret,
			  struct wv_error *error)
{
	const struct wv_pointcut pointcut = {
		.type = type, .symbol = (char *)match->symbol, .at_start = true, .ends = ends,
		.start = match->address - match->symbol_offset - wv_db_text_address(afters->db),
	};
	struct wv_matches *matches = wv_vec_push(&afters->made);
	int failed;

	if (!matches)
		return wv_no_memory(error);
	*ret = matches - afters->made.data;
	failed = wv_db_query(afters->db, &pointcut, matches, error);
	if (failed != -WV_E_NO_MATCH)
		return failed;
	memset(matches, 0, sizeof(*matches)); /* no exits: the function never returns */
	return 0;
}

int wv_afters_ends(struct wv_afters *afters, const struct wv_match *match, bool *ret,
		   struct wv_error *error)
{
	size_t exits = 0;
	int failed = query_function(afters, match, WV_POINTCUT_EXIT, false, &exits, error);

	*ret = !failed && afters->made.data[exits].list.n;
	return failed;
}

static int refuse(const struct wv_match *match, enum weft_refusal refusal, wv_after_take take,
		  void *context, struct wv_error *error)
{
	const struct wv_after after = { .match = match, .from = match, .when = WEFT_AFTER,
					.refusal = refusal };

	return take(context, &after, error);
}

bool wv_afters_is_tail(struct wv_afters *afters, const struct wv_match *match)
{
	struct wv_insn insn;
	uint64_t distance;
	const char *name;

	if (!wv_decode(afters->decoder, match->bytes, match->nr_bytes, match->address, &insn) ||
	    insn.control == WR_CONTROL_RETURN)
		return false;
	name = insn.direct ? wv_db_symbol_at(afters->db, insn.target, &distance) : NULL;
	return !name || strcmp(name, "__x86_return_thunk");
}

static int leave_function(struct wv_afters *afters, const struct wv_match *match,
			  wv_after_take take, void *context, struct wv_error *error)
{
	size_t exits = 0;
	int failed = query_function(afters, match, WV_POINTCUT_EXIT, false, &exits, error);

	if (failed)
		return failed;
	if (!afters->made.data[exits].list.n)
		return refuse(match, WEFT_REFUSAL_NO_END, take, context, error);
	for (size_t i = 0; !failed && i < afters->made.data[exits].list.n; i++) {
		const struct wv_match *at = &afters->made.data[exits].list.data[i];
		const struct wv_after after = { .match = at, .from = match, .when = WEFT_LEAVING,
						.tail = wv_afters_is_tail(afters, at) };

		failed = take(context, &after, error);
	}
	return failed;
}

/*
 * Copies @match, changes the copy to the instruction that follows, and sets *@ret to it. The copy
 * belongs to .made.
 */
static int move_on(struct wv_afters *afters, const struct wv_match *match, size_t length,
		   const struct wv_match **ret, struct wv_error *error)
{
	struct wv_matches *matches = wv_vec_push(&afters->made);
	struct wv_match *moved = matches ? wv_vec_push(&matches->list) : NULL;

	if (!moved)
		return wv_no_memory(error);
	*moved = *match;
	moved->address += length;
	moved->symbol_offset += length;
	moved->nr_bytes = 0;
	*ret = moved;
	return 0;
}

/*
 * Finds the location of advice after a call: the address to which the call returns. Branches may
 * lead to the same address without the call. If they do, or if that is not known, the call gets a
 * splice of its own, which notes the call, so that the advice can tell a return from a branch.
 */
static int return_from_call(struct wv_afters *afters, const struct wv_match *match, size_t length,
			    wv_after_take take, void *context, struct wv_error *error)
{
	struct wv_after after = { .from = match, .when = WEFT_RETURNED };
	struct wv_after calling = { .match = match, .from = match, .when = WEFT_CALLING };
	const uint64_t end = match->address + length;
	const struct wv_displaceable *displaceable;
	const struct wv_function_range *range;
	int failed = wv_function_ranges_at(afters->ranges, match->address, &range, error);

	if (failed)
		return failed;
	if (!range || end >= range->code_end)
		return refuse(match, WEFT_REFUSAL_NO_END, take, context, error);
	displaceable = wv_chooser_displaceable(range->chooser);
	if (!wv_displaceable_known(displaceable) ||
	    wv_displaceable_insn(displaceable, end).branch_target) {
		after.returns = calling.returns = length;
		failed = take(context, &calling, error);
	}
	if (!failed)
		failed = move_on(afters, match, length, &after.match, error);
	return failed ? failed : take(context, &after, error);
}

/* Returns whether @by picks calls: then a jump at @match is a tail call. */
static bool is_call(const struct wv_pointcut *by, const struct wv_match *match)
{
	const enum wv_picks_what picks = wv_pointcut_kind(by->type)->picks;

	return picks == WV_PICKS_CALLS ||
	       (picks == WV_PICKS_ACCESSES && !strcmp(match->kind, "call"));
}

static int follow_instruction(struct wv_afters *afters, const struct wv_pointcut *by,
			      const struct wv_match *match, wv_after_take take, void *context,
			      struct wv_error *error)
{
	const struct wv_after after = { .match = match, .from = match, .when = WEFT_AFTER };
	struct wv_insn insn;

	if (!wv_decode(afters->decoder, match->bytes, match->nr_bytes, match->address, &insn))
		return refuse(match, WEFT_REFUSAL_UNDECODABLE, take, context, error);
	if (insn.control == WR_CONTROL_CALL)
		return return_from_call(afters, match, insn.length, take, context, error);
	if (insn.control != WR_CONTROL_NEXT)
		return refuse(match, is_call(by, match) ? WEFT_REFUSAL_TAIL_CALL :
							  WEFT_REFUSAL_GOES_ELSEWHERE,
			      take, context, error);
	/*
	 * This instruction is not a call: the joinpoint is a call that is known only by its line,
	 * and which of the line's instructions does the call is not known.
	 */
	if (is_call(by, match))
		return refuse(match, WEFT_REFUSAL_NO_END, take, context, error);
	return take(context, &after, error);
}

/*
 * Finds the end of the block that begins at @match. Advice runs after the block's last instruction
 * or, if that instruction leaves the block, before it.
 */
static int leave_block(struct wv_afters *afters, const struct wv_pointcut *by,
		       const struct wv_match *match, wv_after_take take, void *context,
		       struct wv_error *error)
{
	uint64_t start = match->address - match->symbol_offset;
	struct wv_after after = { .from = match, .when = WEFT_LEAVING };
	const struct wv_matches *blocks, *ends;
	struct wv_insn insn;
	int failed = 0;

	if (!afters->start || afters->start != start) {
		failed = query_function(afters, match, WV_POINTCUT_BLOCK, false, &afters->blocks,
					error);
		if (!failed)
			failed = query_function(afters, match, WV_POINTCUT_BLOCK, true,
						&afters->ends, error);
		afters->start = failed ? 0 : start;
	}
	if (failed)
		return failed;
	blocks = &afters->made.data[afters->blocks];
	ends = &afters->made.data[afters->ends];
	for (size_t i = 0; i < blocks->list.n && i < ends->list.n; i++)
		if (blocks->list.data[i].address == match->address)
			after.match = &ends->list.data[i];
	if (!after.match)
		return refuse(match, WEFT_REFUSAL_NO_END, take, context, error);
	match = after.match;
	if (wv_decode(afters->decoder, match->bytes, match->nr_bytes, match->address, &insn) &&
	    (insn.control == WR_CONTROL_NEXT || insn.control == WR_CONTROL_CALL))
		return follow_instruction(afters, by, match, take, context, error);
	return take(context, &after, error);
}

int wv_afters_find(struct wv_afters *afters, const struct wv_pointcut *by,
		   const struct wv_match *match, wv_after_take take, void *context,
		   struct wv_error *error)
{
	switch (wv_pointcut_kind(by->type)->picks) {
	case WV_PICKS_ENTRIES:
		if (!strcmp(match->kind, "inlined"))
			return refuse(match, WEFT_REFUSAL_NO_END, take, context, error);
		return leave_function(afters, match, take, context, error);
	case WV_PICKS_BLOCKS:
		return leave_block(afters, by, match, take, context, error);
	default:
		return follow_instruction(afters, by, match, take, context, error);
	}
}

struct wv_after wv_around_place(const struct wv_pointcut *by, const struct wv_match *match)
{
	struct wv_after ret = { .match = match, .from = match, .when = WEFT_AROUND };
	struct wv_insn insn;

	if (!is_call(by, match)) {
		ret.refusal = strcmp(match->kind, "entry") ? WEFT_REFUSAL_NOT_ENTRY :
							     WEFT_REFUSAL_NONE;
		return ret;
	}
	ret.when = WEFT_AROUND_CALL;
	/* A call that is known only by its line may be at another instruction. */
	if (!wv_decode_rules(match->bytes, match->nr_bytes, match->address, &insn) ||
	    (insn.control != WR_CONTROL_CALL && insn.control != WR_CONTROL_JUMP))
		ret.refusal = WEFT_REFUSAL_NOT_CALL;
	return ret;
}
