// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Selects the joinpoints of an aspect in programs; see select.h. Each program has a database of its
 * own. Joinpoints in programs get no splices: weft.ko has the kernel put a breakpoint at each. So
 * their live registers and displaced ranges are not determined.
 */
#include <stdlib.h>
#include <string.h>

#include "aspect/resolve/select.h"
#include "aspect/resolve/uprobe-rules.h"
#include "base/notation.h"
#include "plan/function-range.h"
#include "splice/refusal.h"

/*
 * Refuses the joinpoint if its advice would have to run after an instruction, if the advice needs
 * its call to be noted, or if the kernel's uprobes do not take the instruction.
 */
static void refuse(struct wv_selected *joinpoint, struct wv_db *db)
{
	uint8_t bytes[WEFT_INSN_MAX];
	size_t n;

	if (joinpoint->refusal)
		return;
	if (joinpoint->when == WEFT_AFTER)
		joinpoint->refusal = WEFT_REFUSAL_PROGRAM;
	if (joinpoint->returns)
		joinpoint->refusal = WEFT_REFUSAL_JOINS;
	n = wv_db_text_bytes(db, joinpoint->match->address, bytes, sizeof(bytes));
	if (!wv_uprobe_takes(bytes, n))
		joinpoint->refusal = WEFT_REFUSAL_UNRELOCATABLE;
}

/* Moves the joinpoints of @own, which are in @program, to the end of @selection. */
static int append(struct wv_selection *selection, struct wv_selection *own,
		  struct wv_program *program, struct wv_error *error)
{
	const uint64_t text = wv_db_text_address(program->db);

	wv_vec_for_each(joinpoint, &own->list) {
		struct wv_selected *slot = wv_vec_push(&selection->list);

		if (!slot)
			return wv_no_memory(error);
		refuse(joinpoint, program->db);
		joinpoint->program = program;
		joinpoint->part = program->part;
		joinpoint->text_offset = text + joinpoint->offset - program->away;
		*slot = *joinpoint;
		joinpoint->what = NULL;
	}
	wv_vec_for_each(optimized_out, &own->optimized_out) {
		struct wv_optimized_out *slot = wv_vec_push(&selection->optimized_out);

		if (!slot)
			return wv_no_memory(error);
		*slot = *optimized_out;
		optimized_out->what = NULL;
	}
	wv_vec_for_each(picks, &own->picks) {
		struct wv_picks *slot = wv_vec_push(&selection->picks);

		if (!slot)
			return wv_no_memory(error);
		*slot = *picks;
		*picks = (struct wv_picks){ 0 };
	}
	selection->merged += own->merged;
	return 0;
}

/* Reports advice of which every joinpoint in @program is refused. */
static int check_refused(const struct wv_selection *selection, const struct wv_aspect *aspect,
			 const struct wv_program *program, struct wv_error *error)
{
	wv_vec_for_each(advice, &aspect->advices) {
		const struct wv_selected *refused = NULL;
		bool any = false;

		wv_vec_for_each(joinpoint, &selection->list) {
			if (joinpoint->program != program ||
			    joinpoint->advice != (size_t)(advice - aspect->advices.data))
				continue;
			any |= !joinpoint->refusal;
			if (joinpoint->refusal && !refused)
				refused = joinpoint;
		}
		if (refused && !any)
			return wv_fail_at(error, WV_E_NO_MATCH, aspect->path,
					  advice->code.location.line, advice->code.location.column,
					  "no advice can run at %s in %s: %s (%s)",
					  wv_symbol_text(refused->match->symbol,
							 refused->match->symbol_offset).text,
					  program->path, wv_refusal_reason(refused->refusal),
					  wv_refusal_name(refused->refusal));
	}
	return 0;
}

static int query(struct wv_selection *selection, const struct wv_aspect *aspect,
		 struct wv_program *program, struct wv_errors *errors, struct wv_error *error)
{
	struct wv_selection own = { 0 };
	struct wv_function_ranges *ranges = NULL;
	struct wv_afters *afters;
	bool any;
	int failed = wv_function_ranges_create(program->db, &ranges, error);

	if (!failed)
		failed = wv_afters_init(&own.afters, program->db, ranges, error);
	if (!failed)
		failed = wv_selection_add_all(&own, aspect, program->db, program, &any, errors,
					      error);
	program->part = selection->parts.n;
	if (!failed)
		failed = wv_parts_add_program(&selection->parts, program->image, program->path,
					      &program->away, error);
	if (!failed)
		failed = append(selection, &own, program, error);
	/*
	 * The selection's joinpoints point to the matches that own.afters has made, so keep these.
	 */
	afters = failed ? NULL : wv_vec_push(&selection->program_afters);
	if (afters) {
		*afters = own.afters;
		own.afters = (struct wv_afters){ 0 };
	} else if (!failed) {
		failed = wv_no_memory(error);
	}
	wv_selection_deinit(&own);
	wv_function_ranges_destroy(ranges);
	return failed ? failed : check_refused(selection, aspect, program, error);
}

int wv_selection_query_programs(struct wv_selection *selection, const struct wv_aspect *aspect,
				struct wv_errors *errors, struct wv_error *error)
{
	int failed = 0;

	for (size_t i = 0; selection->programs && i < selection->programs->list.n && !failed; i++)
		failed = query(selection, aspect, selection->programs->list.data[i], errors, error);
	return failed;
}
