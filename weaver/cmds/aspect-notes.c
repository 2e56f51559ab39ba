// SPDX-License-Identifier: GPL-2.0-or-later
/* Notes of a compile; see aspect-notes.h. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/notation.h"
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

/* Notes the line "weft: note: TEXT", or, with @place, "weft: FILE:LINE:COLUMN: note: TEXT". */
static void __attribute__((format(printf, 4, 5)))
note(struct wv_str *notes, const struct wv_aspect *aspect, const struct wv_text_location *location,
     const char *format, ...)
{
	_cleanup_str_ struct wv_str line = { 0 };
	_cleanup_free_ char *text = NULL;
	va_list arguments;

	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		text = NULL;
	va_end(arguments);
	wv_str_add(&line, "weft: ");
	if (location) {
		wv_str_add_source(&line, aspect->path, location->line, location->column);
		wv_str_add(&line, ": ");
	}
	wv_str_addf(&line, "note: %s\n", text ? text : "");
	notes->failed |= !text || line.failed;
	wv_note(notes, "%s", wv_str_text(&line));
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
		note(notes, aspect, &(struct wv_text_location){ one->line, one->column }, "%s",
		     one->message);
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
		note(notes, aspect, &pointcut->location, "no advice is bound to pointcut '%s'",
		     pointcut->name);
		note_names(notes, aspect, index, db);
	}
}

void wv_note_optimized_out(struct wv_str *notes, const struct wv_selection *selection)
{
	if (!selection->optimized_out.n)
		return;
	note(notes, NULL, NULL, "%s %s no shadow: the compiler left no instruction of %s",
	     wv_count_text(selection->optimized_out.n, "joinpoint").text,
	     wv_plural(selection->optimized_out.n, "has", "have"),
	     wv_plural(selection->optimized_out.n, "it", "them"));
	wv_vec_for_each(optimized_out, &selection->optimized_out) {
		const struct wv_match *match = optimized_out->match;

		wv_note(notes, "  %s %s\n",
			wv_source_text(match->file, match->line, match->column).text, optimized_out->what);
	}
}

/* A flow that goes through an inlined copy is not seen; who does not know that takes "never" for an answer. */
void wv_note_inlined(struct wv_str *notes, const struct wv_aspect *aspect, struct wv_db *db)
{
	wv_vec_for_each(flow, &aspect->flows) {
		const struct wv_pointcut inlined = { .type = WV_POINTCUT_ENTRY, .symbol = flow->function, .inlined = true,
						    .only_inlined = true };
		struct wv_matches matches;
		struct wv_error error;
		size_t n;

		if (wv_db_query(db, &inlined, &matches, &error))
			continue;
		n = matches.list.n;
		if (n)
			note(notes, aspect, &flow->location,
			     "%zu inlined %s of %s %s not followed: %s%s", n,
			     wv_plural(n, "copy", "copies"), flow->function,
			     wv_plural(n, "is", "are"),
			     matches.list.data[0].symbol ? matches.list.data[0].symbol : "?",
			     wv_plural(n, "", " ..."));
		wv_matches_deinit(&matches);
	}
}

void wv_note_dropped(struct wv_str *notes, const struct wv_aspect *aspect, const struct wv_values *values)
{
	wv_vec_for_each(own, &values->advices) {
		const struct wv_aspect_advice *advice =
			&aspect->advices.data[own - values->advices.data];

		if (own->dropped && advice->optional)
			note(notes, aspect, &advice->location,
			     "%s %s dropped: "
			     "a variable of this optional advice cannot be had there",
			     wv_count_text(own->dropped, "shadow").text,
			     wv_plural(own->dropped, "is", "are"));
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
			note(notes, NULL, NULL, "%s of after-advice refused (%s): %s",
			     wv_count_text(by_reason[i], "shadow").text, wv_refusal_name(i),
			     wv_refusal_reason(i));
	if (tails)
		note(notes, NULL, NULL, "%s %s: after-advice runs before the other function does",
		     wv_count_text(tails, "exit").text,
		     wv_plural(tails, "is a jump to another function",
			       "are jumps to other functions"));
}

void wv_note_rest(struct wv_str *notes, const struct wv_selection *selection)
{
	if (selection->in_modules)
		note(notes, NULL, NULL, "%s in modules %s left out: those cannot be woven into",
		     wv_count_text(selection->in_modules, "shadow").text,
		     wv_plural(selection->in_modules, "is", "are"));
	note_after(notes, selection);
	if (selection->merged)
		note(notes, NULL, NULL, "%s %s the shadow of another, which stands for %s",
		     wv_count_text(selection->merged, "joinpoint").text,
		     wv_plural(selection->merged, "shares", "share"),
		     wv_plural(selection->merged, "it", "them"));
}
