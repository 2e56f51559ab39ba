// SPDX-License-Identifier: GPL-2.0-or-later
/* Notes of a compile; see aspect-notes.h. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "cmds/aspect-notes.h"
#include "splice/refusal.h"

void wv_note(struct wv_str *notes, const char *format, ...)
{
	_cleanup_free_ char *text = NULL;
	va_list arguments;

	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		text = NULL;
	va_end(arguments);
	notes->failed |= !text;
	if (text)
		fputs(text, stderr);
	wv_str_add(notes, text ? text : "");
}

/* What the kernel does not have of a pointcut that nobody needs yet. */
static void note_names(struct wv_str *notes, const struct wv_aspect *aspect, size_t index, struct wv_db *db)
{
	struct wv_errors errors = { 0 };
	struct wv_picks picks = { 0 };
	struct wv_error error;

	if (!wv_pick_query(aspect, index, db, &picks, &errors, &error))
		wv_picks_deinit(&picks);
	wv_vec_for_each(one, &errors.list)
		wv_note(notes, "weft: %s:%u:%u: note: %s\n", aspect->path, one->line, one->column, one->message);
	wv_errors_deinit(&errors);
}

void wv_note_unused(struct wv_str *notes, const struct wv_aspect *aspect, struct wv_db *db)
{
	wv_vec_for_each(pointcut, &aspect->pointcuts) {
		size_t index = pointcut - aspect->pointcuts.data;
		bool used = pointcut->referred;

		wv_vec_for_each(advice, &aspect->advices)
			used |= advice->pointcut == index;
		if (used)
			continue;
		wv_note(notes, "weft: %s:%u:%u: note: no advice is bound to pointcut '%s'\n", aspect->path,
			pointcut->location.line, pointcut->location.column, pointcut->name);
		note_names(notes, aspect, index, db);
	}
}

void wv_note_optimized_out(struct wv_str *notes, const struct wv_selection *selection)
{
	if (!selection->optimized_out.n)
		return;
	wv_note(notes, "weft: note: %zu joinpoint%s: the compiler left no instruction of %s\n",
		selection->optimized_out.n,
		selection->optimized_out.n == 1 ? " has no shadow" : "s have no shadow",
		selection->optimized_out.n == 1 ? "it" : "them");
	wv_vec_for_each(optimized_out, &selection->optimized_out)
		wv_note(notes, "  %s:%u:%u %s\n", optimized_out->match->file ? optimized_out->match->file : "?",
			optimized_out->match->line, optimized_out->match->column, optimized_out->what);
}

/* A flow that goes through an inlined copy is not seen; who does not know that takes "never" for an answer. */
void wv_note_inlined(struct wv_str *notes, const struct wv_aspect *aspect, struct wv_db *db)
{
	wv_vec_for_each(flow, &aspect->flows) {
		const struct wv_pointcut inlined = { .type = WV_POINTCUT_ENTRY, .symbol = flow->function, .inlined = true,
						    .only_inlined = true };
		struct wv_matches matches;
		struct wv_error error;

		if (wv_db_query(db, &inlined, &matches, &error))
			continue;
		if (matches.list.n)
			wv_note(notes, "weft: %s:%u:%u: note: %zu inlined cop%s of %s %s not followed: %s%s\n", aspect->path,
				flow->location.line, flow->location.column, matches.list.n, matches.list.n == 1 ? "y" : "ies",
				flow->function, matches.list.n == 1 ? "is" : "are",
				matches.list.data[0].symbol ? matches.list.data[0].symbol : "?", matches.list.n == 1 ? "" : " ...");
		wv_matches_deinit(&matches);
	}
}

void wv_note_dropped(struct wv_str *notes, const struct wv_aspect *aspect, const struct wv_values *values)
{
	wv_vec_for_each(own, &values->advices) {
		const struct wv_aspect_advice *advice =
			&aspect->advices.data[own - values->advices.data];

		if (own->dropped && advice->optional)
			wv_note(notes, "weft: %s:%u:%u: note: %zu shadow%s dropped: a variable of this optional advice cannot be had there\n",
				aspect->path, advice->location.line, advice->location.column, own->dropped,
				own->dropped == 1 ? " is" : "s are");
	}
}

/* After-advice: what nothing comes after, and the exits that are no returns. */
static void note_after(struct wv_str *notes, const struct wv_selection *selection)
{
	size_t by_reason[WEFT_REFUSAL_COUNT] = { 0 }, tails = 0;

	wv_vec_for_each(joinpoint, &selection->list) {
		by_reason[joinpoint->when == WEFT_BEFORE ? WEFT_REFUSAL_NONE : joinpoint->refusal]++;
		tails += joinpoint->tail && joinpoint->when == WEFT_LEAVING;
	}
	for (unsigned int i = WEFT_REFUSAL_NONE + 1; i < WEFT_REFUSAL_COUNT; i++)
		if (by_reason[i])
			wv_note(notes, "weft: note: %zu shadow%s of after-advice refused (%s): %s\n", by_reason[i],
				by_reason[i] == 1 ? "" : "s", wv_refusal_name(i), wv_refusal_reason(i));
	if (tails)
		wv_note(notes, "weft: note: %zu exit%s: after-advice runs before the other function does\n",
			tails, tails == 1 ? " is a jump to another function" : "s are jumps to other functions");
}

void wv_note_rest(struct wv_str *notes, const struct wv_selection *selection)
{
	if (selection->in_modules)
		wv_note(notes, "weft: note: %zu shadow%s in modules %s left out: those cannot be woven into\n",
			selection->in_modules, selection->in_modules == 1 ? "" : "s",
			selection->in_modules == 1 ? "is" : "are");
	note_after(notes, selection);
	if (selection->merged)
		wv_note(notes, "weft: note: %zu joinpoint%s the shadow of another, which stands for %s\n",
			selection->merged, selection->merged == 1 ? " shares" : "s share",
			selection->merged == 1 ? "it" : "them");
}
