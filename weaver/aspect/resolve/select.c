// SPDX-License-Identifier: GPL-2.0-or-later
/* Selects the joinpoints of an aspect; see select.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/plan-rules.h"
#include "runtime/abi.h"
#include "aspect/resolve/select.h"
#include "base/cleanup.h"
#include "base/notation.h"
#include "plan/function-cache.h"
#include "database/missing-kinds.h"
#include "database/pointcut-kinds.h"
#include "plan/choose-all.h"
#include "database/wildcard.h"
#include "splice/refusal.h"

/*
 * Returns a name of the joinpoint for messages, which the caller frees. The name is made of those
 * in the pointcut, because the author knows them.
 */
static char *describe(const struct wv_pointcut *pointcut, const struct wv_match *match)
{
	char *text = NULL;
	int n = -1;

	switch (wv_pointcut_kind(pointcut->type)->subject) {
	case WV_SUBJECT_MEMBER:
		n = asprintf(&text, "%s", wv_access_text(pointcut->structure, pointcut->member,
							 match->kind).text);
		break;
	case WV_SUBJECT_LINE:
		n = asprintf(&text, "%s", wv_source_text(pointcut->file, pointcut->line, 0).text);
		break;
	case WV_SUBJECT_FILE:
		n = asprintf(&text, "%s", wv_access_text(match->structure, match->member,
							 match->kind).text);
		break;
	case WV_SUBJECT_FUNCTION:
	case WV_SUBJECT_TRACEPOINT:
		n = asprintf(&text, "%s %s", pointcut->symbol, match->kind);
		break;
	case WV_SUBJECT_INSTRUCTION:
		n = asprintf(&text, "%s", wv_symbol_text(pointcut->symbol, pointcut->offset).text);
		break;
	}
	return n < 0 ? NULL : text;
}

/*
 * Returns a name, for messages, of the location at which advice after @match runs: the name of
 * @match, with ", after" at its end unless @match was picked as a function. The caller frees the
 * name.
 */
static char *describe_after(const struct wv_pointcut *pointcut, const struct wv_match *match)
{
	char *before = describe(pointcut, match), *text = NULL;

	if (!before || wv_pointcut_kind(pointcut->type)->picks == WV_PICKS_ENTRIES)
		return before;
	if (asprintf(&text, "%s, after", before) < 0)
		text = NULL;
	free(before);
	return text;
}

static bool is_bound(const struct wv_aspect *aspect, size_t pointcut)
{
	wv_vec_for_each(advice, &aspect->advices)
		if (advice->pointcut == pointcut)
			return true;
	return false;
}

static bool add_optimized_out(struct wv_selection *selection, const struct wv_pointcut *pointcut,
		       const struct wv_match *match)
{
	struct wv_optimized_out *optimized_out = wv_vec_push(&selection->optimized_out);

	if (!optimized_out)
		return false;
	optimized_out->match = match;
	optimized_out->what = describe(pointcut, match);
	return optimized_out->what;
}

/* Arguments of the functions that add the joinpoints of one match and one advice. */
struct adding {
	struct wv_selection *selection;
	const struct wv_pointcut *by;
	uint64_t text;
	size_t advice;
};

static int add_joinpoint(const struct adding *adding, const struct wv_after *where, char *what,
			 struct wv_error *error)
{
	struct wv_selected *joinpoint = what ? wv_vec_push(&adding->selection->list) : NULL;

	if (!joinpoint) {
		free(what);
		return wv_no_memory(error);
	}
	joinpoint->offset = joinpoint->text_offset = where->match->address - adding->text;
	joinpoint->advice = adding->advice;
	joinpoint->live = WEFT_LIVE_UNKNOWN;
	joinpoint->when = where->when;
	joinpoint->returns = where->returns;
	joinpoint->refusal = where->refusal;
	joinpoint->tail = where->tail;
	joinpoint->tracepoint = wv_pointcut_kind(adding->by->type)->picks == WV_PICKS_TRACEPOINTS;
	joinpoint->match = where->match;
	joinpoint->from = where->when == WEFT_RETURNED ? where->from : where->match;
	joinpoint->at = where->match->address;
	joinpoint->what = what;
	return 0;
}

static int add_after(void *context, const struct wv_after *after, struct wv_error *error)
{
	const struct adding *adding = context;

	return add_joinpoint(adding, after, describe_after(adding->by, after->match), error);
}

/*
 * Moves @picks into the selection, which then owns the storage; @picks is empty afterwards. False:
 * out of memory.
 */
static bool keep(struct wv_selection *selection, struct wv_picks *picks)
{
	struct wv_picks *kept = wv_vec_push(&selection->picks);

	if (kept)
		*kept = *picks;
	else
		wv_picks_deinit(picks);
	memset(picks, 0, sizeof(*picks));
	return kept;
}

static int add_to_advices(struct wv_selection *selection, const struct wv_aspect *aspect,
			  size_t index, const struct wv_picked *picked, uint64_t text,
			  struct wv_error *error)
{
	const struct wv_after before = {
		.match = picked->match, .from = picked->match, .when = WEFT_BEFORE,
		.tail = wv_pointcut_kind(picked->by->type)->picks == WV_PICKS_EXITS &&
			wv_afters_is_tail(&selection->afters, picked->match),
	};
	int failed = 0;

	wv_vec_for_each(advice, &aspect->advices) {
		struct adding adding = { selection, picked->by, text,
					 advice - aspect->advices.data };

		if (failed || advice->pointcut != index)
			continue;
		if (advice->around) {
			const struct wv_after around = wv_around_place(picked->by, picked->match);

			failed = add_joinpoint(&adding, &around,
					       describe(picked->by, picked->match), error);
		} else if (advice->after) {
			failed = wv_afters_find(&selection->afters, picked->by, picked->match,
						add_after, &adding, error);
		} else {
			failed = add_joinpoint(&adding, &before,
					       describe(picked->by, picked->match), error);
		}
	}
	return failed;
}

static int add_picked(struct wv_selection *selection, const struct wv_aspect *aspect, size_t index,
		      const struct wv_picked *picked, uint64_t text, struct wv_error *error)
{
	const struct wv_match *match = picked->match;
	bool fits = true;

	if (match->precision >= WEFT_PRECISION_OPTIMIZED_OUT) {
		fits = add_optimized_out(selection, picked->by, match);
	} else if ((int64_t)(match->address - text) < 0) {
		return wv_fail(error, WV_E_FORMAT,
			       "the database has a shadow below the kernel's text: %s",
			       match->symbol ? match->symbol : "?");
	} else {
		return add_to_advices(selection, aspect, index, picked, text, error);
	}
	return fits ? 0 : wv_fail_errno(error, ENOMEM, "%s", aspect->path);
}

int wv_selection_add(struct wv_selection *selection, const struct wv_aspect *aspect, size_t index,
		     struct wv_picks *picks, uint64_t text, struct wv_error *error)
{
	const struct wv_aspect_pointcut *from = &aspect->pointcuts.data[index];
	const struct wv_picks *kept;
	int failed = 0;

	if (!keep(selection, picks))
		return wv_fail_errno(error, ENOMEM, "%s", aspect->path);
	kept = &selection->picks.data[selection->picks.n - 1];
	if (!kept->list.n && kept->filtered)
		return wv_fail_at(error, WV_E_NO_MATCH, aspect->path, from->location.line,
				  from->location.column,
				  "this pointcut picks no joinpoint of the kernel: of %zu none is "
				  "in all of its parts",
				  kept->filtered);
	if (!kept->list.n)
		return wv_fail_at(error, WV_E_NO_MATCH, aspect->path, from->location.line,
				  from->location.column,
				  "this pointcut picks no joinpoint of the kernel");
	wv_vec_for_each(picked, &kept->list)
		if (!failed)
			failed = add_picked(selection, aspect, index, picked, text, error);
	return failed;
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_texts(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

/*
 * Orders entries as in the module's table: by offset, advice and .when. Of entries that are equal
 * in these three, merge() keeps only the first. So among them, those that are not refused come
 * first, and of those the most precise one. The remaining members are compared only to make the
 * order, and so the table, reproducible.
 */
static int compare(const void *a, const void *b)
{
	const struct wv_selected *left = a, *right = b;
	int order = compare_numbers(left->offset, right->offset);

	if (!order)
		order = compare_numbers(left->advice, right->advice);
	if (!order)
		order = compare_numbers(left->when, right->when);
	if (!order)
		order = compare_numbers(left->refusal, right->refusal);
	if (!order)
		order = compare_numbers(left->match->precision, right->match->precision);
	if (!order)
		order = compare_texts(left->match->file, right->match->file);
	if (!order)
		order = compare_numbers(left->match->line, right->match->line);
	if (!order)
		order = compare_numbers(left->match->column, right->match->column);
	return order ? order : compare_texts(left->what, right->what);
}

/*
 * Keeps one entry for each shadow, advice and .when. GCC may make one instruction of two accesses;
 * then two joinpoints have the same shadow. The advice must run only once when this instruction
 * executes.
 */
static void merge(struct wv_selection *selection)
{
	size_t kept = 0;

	for (size_t i = 0; i < selection->list.n; i++) {
		struct wv_selected *this = &selection->list.data[i];
		struct wv_selected *last = kept ? &selection->list.data[kept - 1] : NULL;

		if (last && last->offset == this->offset &&
		    last->advice == this->advice && last->when == this->when) {
			last->tracepoint |= this->tracepoint;
			free(this->what);
			selection->merged++;
		} else {
			selection->list.data[kept++] = *this;
		}
	}
	selection->list.n = kept;
}

/* Reports an advice if all of its joinpoints are refused: it would never run. */
static int check_refused(const struct wv_selection *selection, const struct wv_aspect *aspect,
			 struct wv_error *error)
{
	wv_vec_for_each(advice, &aspect->advices) {
		const struct wv_selected *refused = NULL;
		size_t nr_refused = 0, n = 0;

		wv_vec_for_each(joinpoint, &selection->list) {
			if (joinpoint->advice != (size_t)(advice - aspect->advices.data) ||
			    joinpoint->when == WEFT_CALLING)
				continue;
			n++;
			nr_refused += joinpoint->refusal != WEFT_REFUSAL_NONE;
			if (joinpoint->refusal && !refused)
				refused = joinpoint;
		}
		if (n && n == nr_refused)
			return wv_fail_at(error, WV_E_NO_MATCH, aspect->path,
					  advice->code.location.line, advice->code.location.column,
					  "nothing %s %s; %s: %s (%s)",
					  advice->around ? "can take the place of" : "comes after",
					  wv_plural(n, "the joinpoint", "any of the joinpoints"),
					  wv_symbol_text(refused->match->symbol,
							 refused->match->symbol_offset)
						  .text,
					  wv_refusal_reason(refused->refusal),
					  wv_refusal_name(refused->refusal));
	}
	return 0;
}

/*
 * Refuses the start of each pair whose end is refused: such a measurement would never end, and
 * would keep its slot in the table of pairs. In the aspect, the advice of the start comes right
 * before the advice of the end. In the list, which is sorted by address, the start is the last
 * entry with that advice before the end.
 */
static void refuse_starts(struct wv_selection *selection, const struct wv_aspect *aspect)
{
	for (size_t i = 0; i < selection->list.n; i++) {
		const struct wv_selected *end = &selection->list.data[i];
		const struct wv_aspect_advice *advice = &aspect->advices.data[end->advice];

		if (!end->refusal || !advice->ends || !advice->after)
			continue;
		for (size_t k = i; k--;) {
			struct wv_selected *start = &selection->list.data[k];

			if (start->advice + 1 != end->advice)
				continue;
			start->refusal = end->refusal;
			break;
		}
	}
}

/*
 * Reports a flow that has a refused entry or exit: if an exit were missing, the function would
 * count as active for ever.
 */
static int check_flows(const struct wv_selection *selection, const struct wv_aspect *aspect,
		       struct wv_error *error)
{
	wv_vec_for_each(joinpoint, &selection->list) {
		const struct wv_aspect_advice *advice = &aspect->advices.data[joinpoint->advice];

		if (!advice->flow || !joinpoint->refusal)
			continue;
		return wv_fail_at(
			error, WV_E_NO_MATCH, aspect->path, advice->code.location.line,
			advice->code.location.column,
			"cannot determine when %s is active: %s: %s (%s)",
			aspect->flows.data[advice->flow - 1].function,
			wv_symbol_text(joinpoint->match->symbol, joinpoint->match->symbol_offset)
				.text,
			wv_refusal_reason(joinpoint->refusal),
			wv_refusal_name(joinpoint->refusal));
	}
	return 0;
}

static void order(struct wv_selection *selection)
{
	qsort(selection->list.data, selection->list.n, sizeof(*selection->list.data), compare);
	merge(selection);
}

int wv_selection_finish(struct wv_selection *selection, const struct wv_aspect *aspect,
			struct wv_error *error)
{
	int failed;

	if (!selection->list.n)
		return wv_fail_at(error, WV_E_NO_MATCH, aspect->path, aspect->location.line,
				  aspect->location.column,
				  "no shadow: the aspect picks %s, and the kernel has "
				  "no instruction left of %s",
				  wv_count_text(selection->optimized_out.n, "joinpoint").text,
				  wv_plural(selection->optimized_out.n, "it", "any"));
	order(selection);
	refuse_starts(selection, aspect);
	if (selection->list.n > WEFT_PLAN_MAX)
		return wv_fail_at(error, WV_E_NO_MATCH, aspect->path, aspect->location.line,
				  aspect->location.column,
				  "the aspect picks %s, and at most %u can be woven; "
				  "narrow it with <within>",
				  wv_count_text(selection->list.n, "shadow").text, WEFT_PLAN_MAX);
	failed = check_flows(selection, aspect, error);
	return failed ? failed : check_refused(selection, aspect, error);
}

/*
 * Finds the registers that are live where each advice runs: before its shadow or after it. The list
 * is sorted by address, so the shadows of one function come one after another, and each function is
 * analysed only once.
 */
static int find_live(struct wv_selection *selection, struct wv_functions *functions,
		     struct wv_error *error)
{
	int ret = 0;

	wv_vec_for_each(selected, &selection->list) {
		uint64_t address = selected->match->address;

		if (ret)
			break;
		if (selected->when == WEFT_AFTER)
			ret = wv_functions_live_out(functions, address, &selected->live, error);
		else
			ret = wv_functions_live(functions, address, &selected->live, error);
	}
	return ret;
}

/*
 * Returns whether the module's table has to contain the displaced range. It has to for
 * springboards, for jumps that displace several instructions, and for advice that is attached
 * before (choice->attaches_before). But advice that runs after the shadow, or around a function or
 * call, cannot be attached before. For any other splice weft.ko needs only the shadow's own
 * instruction.
 */
static bool needs_displaced(const struct wv_choice *choice, enum weft_when when)
{
	if (choice->splice == WV_SPLICE_REFUSED)
		return false;
	if (choice->attaches_before)
		return when != WEFT_AFTER && !wr_is_around(when);
	return choice->splice == WV_SPLICE_SPRINGBOARD ||
	       (choice->splice == WV_SPLICE_JUMP && choice->instructions > 1);
}

/*
 * Returns the partner of entry @index. Partners are the CALLING entry of a call that is noted, and
 * the RETURNED entry at its return address (.returns of struct weft_joinpoint). Neither is spliced
 * without the other. Returns NULL if the list, which is sorted by address, does not have the
 * partner.
 */
static struct wv_selected *find_partner(struct wv_selection *selection, size_t index)
{
	const struct wv_selected *own = &selection->list.data[index];
	const bool calls = own->when == WEFT_CALLING;
	const uint64_t wanted = calls ? own->offset + own->returns : own->offset - own->returns;
	const enum weft_when when = calls ? WEFT_RETURNED : WEFT_CALLING;

	for (size_t i = index + (calls ? 1 : -1); i < selection->list.n; i += calls ? 1 : -1) {
		struct wv_selected *other = &selection->list.data[i];

		if (calls ? other->offset > wanted : other->offset < wanted)
			break;
		if (other->offset == wanted && other->advice == own->advice && other->when == when)
			return other;
	}
	return NULL;
}

/* Refuses each entry whose partner is missing or refused. Returns whether any entry was refused. */
static bool refuse_partners(struct wv_selection *selection)
{
	bool any = false;

	for (size_t i = 0; i < selection->list.n; i++) {
		struct wv_selected *selected = &selection->list.data[i], *partner;

		if (!selected->returns || selected->refusal)
			continue;
		partner = find_partner(selection, i);
		if (partner && !partner->refusal)
			continue;
		selected->refusal = WEFT_REFUSAL_JOINS;
		any = true;
	}
	return any;
}

static int find_displaceable(struct wv_selection *selection, struct wv_splices *splices,
			     struct wv_error *error)
{
	_cleanup_free_ struct wv_choice *choices = calloc(selection->list.n + 1, sizeof(*choices));
	int ret = choices ? 0 : wv_no_memory(error);

	for (size_t i = 0; i < selection->list.n && !ret; i++)
		choices[i].address = selection->list.data[i].match->address;
	if (!ret)
		ret = wv_splices_choose(splices, choices, selection->list.n, error);
	for (size_t i = 0; i < selection->list.n && !ret; i++) {
		struct wv_selected *selected = &selection->list.data[i];

		if (!selected->refusal &&
		    ((choices[i].attaches_before &&
		      (selected->when == WEFT_AFTER || wr_is_around(selected->when))) ||
		     (choices[i].splice == WV_SPLICE_REFUSED && selected->returns)))
			selected->refusal = choices[i].refusal;
		if (selected->when == WEFT_AROUND)
			selected->c_size = choices[i].c_size;
		if (!needs_displaced(&choices[i], selected->when))
			continue;
		selected->before = choices[i].before;
		selected->displaced = choices[i].displaced;
		selected->slot = wv_choice_slot(&choices[i]);
		selected->c_size = choices[i].c_size;
		selected->slot_c_size = choices[i].slot_c_size;
	}
	return ret;
}

static bool note(struct wv_errors *errors, const struct wv_error *error)
{
	struct wv_error *slot = wv_vec_push(&errors->list);

	if (slot)
		*slot = *error;
	return slot;
}

/*
 * Fills @error with the reason why a member pointcut picks nothing, although the member is
 * accessed: the accesses are of other kinds.
 */
static int explain_nothing(const struct wv_aspect_pointcut *pointcut,
			   const struct wv_aspect *aspect, struct wv_db *db, struct wv_error *error)
{
	struct wv_error plain;
	int ret = wv_db_explain_kinds(db, &pointcut->pick->pointcut, &plain);

	return wv_fail_at(error, -ret, aspect->path, pointcut->location.line,
			  pointcut->location.column, "%s", plain.message);
}

static bool is_for(const struct wv_aspect_pointcut *pointcut, const struct wv_program *program)
{
	if (!pointcut->program || !program)
		return !pointcut->program && !program;
	return !strcmp(pointcut->program, program->path);
}

int wv_selection_add_all(struct wv_selection *selection, const struct wv_aspect *aspect,
			 struct wv_db *db, const struct wv_program *program, bool *any_ret,
			 struct wv_errors *errors, struct wv_error *error)
{
	int failed = 0, ret;

	*any_ret = false;

	for (size_t i = 0; i < aspect->pointcuts.n; i++) {
		const struct wv_aspect_pointcut *pointcut = &aspect->pointcuts.data[i];
		struct wv_picks picks = { 0 };
		size_t before = errors->list.n;

		if (!is_bound(aspect, i) || !is_for(pointcut, program))
			continue;
		*any_ret = true;
		ret = wv_pick_query(aspect, i, db, &picks, errors, error);
		if (!ret && !picks.list.n && pointcut->pick->type == WV_PICK_POINTCUT &&
		    pointcut->pick->pointcut.type == WV_POINTCUT_MEMBER &&
		    !wv_pointcut_is_pattern(&pointcut->pick->pointcut)) {
			ret = explain_nothing(pointcut, aspect, db, error);
			wv_picks_deinit(&picks);
		} else if (!ret) {
			ret = wv_selection_add(selection, aspect, i, &picks,
					       wv_db_text_address(db), error);
		}
		if (ret && ret != -WV_E_NO_MATCH)
			return ret;
		if (ret && errors->list.n == before && !note(errors, error))
			return wv_fail_errno(error, ENOMEM, "%s", aspect->path);
		failed = ret ? ret : failed;
	}
	if (!failed)
		return *any_ret ? wv_selection_finish(selection, aspect, error) : 0;
	if (selection->list.n)
		order(selection);
	*error = errors->list.data[errors->list.n - 1];
	return failed;
}

/*
 * Finds the parts of the text, and the part and offset of each joinpoint. Drops joinpoints in text
 * that a module frees after its initialization.
 */
static int find_parts(struct wv_selection *selection, struct wv_db *db, struct wv_error *error)
{
	const size_t n = selection->list.n;
	_cleanup_free_ uint64_t *offsets = calloc(n + 1, sizeof(*offsets));
	_cleanup_free_ struct wv_shadow_location *locations = calloc(n + 1, sizeof(*locations));
	size_t kept = 0;
	int failed;

	if (!offsets || !locations)
		return wv_no_memory(error);
	for (size_t i = 0; i < n; i++)
		offsets[i] = selection->list.data[i].offset;
	failed = wv_parts_find(&selection->parts, db, offsets, n, locations, error);
	if (failed)
		return failed;
	for (size_t i = 0; i < n; i++) {
		struct wv_selected *joinpoint = &selection->list.data[i];

		if (locations[i].gone) {
			free(joinpoint->what);
			selection->in_init++;
			continue;
		}
		joinpoint->part = locations[i].part;
		joinpoint->text_offset = locations[i].text_offset;
		selection->list.data[kept++] = *joinpoint;
	}
	selection->list.n = kept;
	return kept ? 0 : wv_fail(error, WV_E_NO_MATCH,
				  "no shadow: what the aspect picks is in text that a module has "
				  "only while it initializes");
}

int wv_selection_query(struct wv_selection *selection, const struct wv_aspect *aspect,
		       struct wv_db *db, struct wv_errors *errors, struct wv_error *error)
{
	_cleanup_functions_ struct wv_functions *functions = NULL;
	_cleanup_splices_ struct wv_splices *splices = NULL;
	bool any;
	int failed = wv_functions_create(db, &functions, error);

	if (!failed)
		failed = wv_splices_create(db, &splices, error);
	if (!failed)
		failed = wv_afters_init(&selection->afters, db, wv_splices_ranges(splices), error);
	if (!failed)
		failed = wv_selection_add_all(selection, aspect, db, NULL, &any, errors, error);
	if (!failed && any)
		failed = find_parts(selection, db, error);
	else if (!failed)
		failed = wv_parts_add_kernel(&selection->parts, db, error);
	if (!failed)
		failed = find_live(selection, functions, error);
	if (!failed)
		failed = find_displaceable(selection, splices, error);
	if (!failed && refuse_partners(selection)) {
		refuse_starts(selection, aspect);
		failed = check_refused(selection, aspect, error);
	}
	return failed ? failed : wv_selection_query_programs(selection, aspect, errors, error);
}

bool wv_selection_has_several(const struct wv_selection *selection, size_t advice)
{
	size_t n = 0;

	wv_vec_for_each(joinpoint, &selection->list)
		n += joinpoint->advice == advice;
	return n > 1;
}

void wv_selection_deinit(struct wv_selection *selection)
{
	wv_vec_for_each(joinpoint, &selection->list)
		free(joinpoint->what);
	wv_vec_for_each(optimized_out, &selection->optimized_out)
		free(optimized_out->what);
	wv_vec_for_each(picks, &selection->picks)
		wv_picks_deinit(picks);
	wv_parts_deinit(&selection->parts);
	wv_vec_deinit(&selection->list);
	wv_vec_deinit(&selection->optimized_out);
	wv_vec_deinit(&selection->picks);
	wv_afters_deinit(&selection->afters);
	wv_vec_for_each(afters, &selection->program_afters)
		wv_afters_deinit(afters);
	wv_vec_deinit(&selection->program_afters);
}
