// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes notes about a compile; see compile-notes.h. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aspect/generate/generate.h"
#include "module/compile-notes.h"
#include "module/precision-text.h"
#include "aspect/resolve/pick-lacks.h"
#include "aspect/resolve/pick-query.h"
#include "base/cleanup.h"
#include "base/notation.h"
#include "runtime/plan-rules.h"
#include "splice/refusal.h"

/* Adds a note about a location in the aspect's file. */
static void note_at(struct wv_messages *messages, const struct wv_aspect *aspect,
		    struct wv_text_location location, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

static void note_at(struct wv_messages *messages, const struct wv_aspect *aspect,
		    struct wv_text_location location, const char *format, ...)
{
	_cleanup_free_ char *text = NULL;
	va_list arguments;

	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		text = NULL;
	va_end(arguments);
	messages->failed |= !text;
	if (text)
		wv_messages_add(messages, WV_MESSAGE_NOTE, "%s: note: %s",
				wv_source_text(aspect->path, location.line, location.column).text,
				text);
}

/*
 * Adds a note for each name in pointcut @index that the kernel does not have. To be called only for
 * a pointcut without advice: if the pointcut has advice, such a name is an error.
 */
static void note_names(struct wv_messages *messages, const struct wv_aspect *aspect, size_t index,
		       struct wv_db *db)
{
	struct wv_errors errors = { 0 };
	struct wv_picks picks = { 0 };
	struct wv_error error;

	if (!wv_pick_query(aspect, index, db, &picks, &errors, &error))
		wv_picks_deinit(&picks);
	wv_vec_for_each(one, &errors.list)
		note_at(messages, aspect, (struct wv_text_location){ one->line, one->column }, "%s",
			one->message);
	wv_errors_deinit(&errors);
}

void wv_note_unused(struct wv_messages *messages, const struct wv_aspect *aspect, struct wv_db *db)
{
	wv_vec_for_each(pointcut, &aspect->pointcuts) {
		size_t index = pointcut - aspect->pointcuts.data;
		bool used = pointcut->referred;

		wv_vec_for_each(advice, &aspect->advices)
			used |= advice->pointcut == index;
		if (used || pointcut->program)
			continue;
		note_at(messages, aspect, pointcut->location, "no advice is bound to pointcut '%s'",
			pointcut->name);
		note_names(messages, aspect, index, db);
	}
}

struct lacking {
	struct wv_messages *messages;
	const struct wv_aspect *aspect;
	struct wv_str *incomplete;
};

static int note_lacking(const struct wv_pick *leaf, const struct wv_unprepared *unprepared,
			void *context, struct wv_error *error)
{
	const struct lacking *lacking = context;
	_cleanup_str_ struct wv_str text = { 0 };

	wv_unprepared_text(unprepared, &leaf->pointcut, &text);
	if (text.failed)
		return wv_no_memory(error);
	note_at(lacking->messages, lacking->aspect, leaf->location, "%s", text.data);
	wv_str_addf(lacking->incomplete, "%s: %s\n",
		    wv_source_text(wv_base_name(lacking->aspect->path), leaf->location.line,
				   leaf->location.column).text, text.data);
	if (lacking->incomplete->failed)
		return wv_no_memory(error);
	return 0;
}

int wv_note_unprepared(struct wv_messages *messages, const struct wv_aspect *aspect,
		       struct wv_db *db, struct wv_str *incomplete, struct wv_error *error)
{
	struct lacking lacking = { messages, aspect, incomplete };

	return wv_pick_lacks(aspect, db, note_lacking, &lacking, error);
}

void wv_note_optimized_out(struct wv_messages *messages, const struct wv_selection *selection)
{
	const size_t n = selection->optimized_out.n;
	_cleanup_str_ struct wv_str text = { 0 };

	if (!n)
		return;
	wv_str_addf(&text, "note: %s %s no shadow: the compiler left no instruction of %s",
		    wv_count_text(n, "joinpoint").text, wv_plural(n, "has", "have"),
		    wv_plural(n, "it", "them"));
	wv_vec_for_each(optimized_out, &selection->optimized_out) {
		const struct wv_match *match = optimized_out->match;

		wv_str_addf(&text, "\n  %s %s: %s",
			    wv_source_text(match->file, match->line, match->column).text,
			    optimized_out->what, wv_match_fate(match));
	}
	messages->failed |= text.failed;
	if (!text.failed)
		wv_messages_add(messages, WV_MESSAGE_NOTE, "%s", text.data);
}

/*
 * Adds a note at @location if functions other than @function contain inlined instances of
 * @function. Instances inside @function itself do not count: its entry was executed before them.
 * @what: the end of the note's sentence "N inlined instances of @function are not ...", such as
 * "followed".
 */
static void note_instances(struct wv_messages *messages, const struct wv_aspect *aspect,
			   struct wv_db *db, struct wv_text_location location,
			   const char *function, const char *what)
{
	const struct wv_pointcut inlined = { .type = WV_POINTCUT_ENTRY,
					     .symbol = (char *)function,
					     .inlined = true,
					     .only_inlined = true };
	struct wv_matches matches;
	struct wv_error error;
	const char *first = NULL;
	size_t n = 0;

	if (wv_db_query(db, &inlined, &matches, &error))
		return;
	wv_vec_for_each(match, &matches.list) {
		if (match->symbol && !strcmp(match->symbol, function))
			continue;
		if (!n++)
			first = match->symbol;
	}
	if (n)
		note_at(messages, aspect, location, "%s of %s %s%s: %s%s",
			wv_count_text(n, "inlined instance").text, function,
			wv_plural(n, "is not ", "are not "), what, first ? first : "?",
			wv_plural(n, "", " ..."));
	wv_matches_deinit(&matches);
}

/*
 * Adds a note for each function whose entry is in @pick, a part of a tag's pointcut `until`, while
 * inlined instances of the function are not: weft does not see that such an instance frees an
 * object.
 */
static void note_unseen(struct wv_messages *messages, const struct wv_aspect *aspect,
			struct wv_db *db, const struct wv_pick *pick)
{
	const struct wv_pointcut *pointcut = &pick->pointcut;

	if (pick->type == WV_PICK_REF)
		note_unseen(messages, aspect, db, aspect->pointcuts.data[pick->index].pick);
	if (pick->type == WV_PICK_POINTCUT && pointcut->type == WV_POINTCUT_ENTRY &&
	    !pointcut->inlined)
		note_instances(messages, aspect, db, pick->location, pointcut->symbol,
			       "seen by this 'until'");
	wv_vec_for_each(part, &pick->parts)
		if ((*part)->type != WV_PICK_NOT)
			note_unseen(messages, aspect, db, *part);
}

static const struct wv_pick *until_of(const struct wv_aspect *aspect, size_t tag)
{
	wv_vec_for_each(advice, &aspect->advices)
		if (advice->untags && advice->tag == tag + 1)
			return aspect->pointcuts.data[advice->pointcut].pick;
	return NULL;
}

/*
 * Adds a note for each function that a flow names, or at whose entry a tag ends, if the function
 * has inlined instances. Without the note the author would believe that the flow or tag misses
 * nothing.
 */
void wv_note_inlined(struct wv_messages *messages, const struct wv_aspect *aspect, struct wv_db *db)
{
	wv_vec_for_each(flow, &aspect->flows)
		note_instances(messages, aspect, db, flow->location, flow->function, "followed");
	for (size_t tag = 0; tag < aspect->tags.n; tag++) {
		const struct wv_pick *until = until_of(aspect, tag);
		bool known = false;

		for (size_t other = 0; other < tag; other++)
			known |= until == until_of(aspect, other);
		if (until && !known)
			note_unseen(messages, aspect, db, until);
	}
}

void wv_note_dropped(struct wv_messages *messages, const struct wv_aspect *aspect,
		     const struct wv_values *values)
{
	wv_vec_for_each(own, &values->advices) {
		const struct wv_aspect_advice *advice =
			&aspect->advices.data[own - values->advices.data];

		if (own->dropped && advice->optional)
			note_at(messages, aspect, advice->code.location,
				"%s %s dropped: a variable of this optional advice cannot be had "
				"there", wv_count_text(own->dropped, "shadow").text,
				wv_plural(own->dropped, "is", "are"));
	}
}

/*
 * Adds a note for each reason why shadows of after-advice or around-advice are refused. Also adds a
 * note if a function's exit is a jump to another function: after-advice then runs before that other
 * function does.
 */
static void note_after(struct wv_messages *messages, const struct wv_selection *selection)
{
	size_t by_reason[WEFT_REFUSAL_COUNT] = { 0 }, around[WEFT_REFUSAL_COUNT] = { 0 };
	size_t tails = 0;

	wv_vec_for_each(joinpoint, &selection->list) {
		if (wr_is_around(joinpoint->when))
			around[joinpoint->refusal]++;
		else if (joinpoint->when != WEFT_BEFORE)
			by_reason[joinpoint->refusal]++;
		tails += joinpoint->tail && joinpoint->when == WEFT_LEAVING;
	}
	for (unsigned int i = WEFT_REFUSAL_NONE + 1; i < WEFT_REFUSAL_COUNT; i++) {
		if (by_reason[i])
			wv_messages_add(messages, WV_MESSAGE_NOTE,
					"note: %s of after-advice refused (%s): %s",
					wv_count_text(by_reason[i], "shadow").text,
					wv_refusal_name(i), wv_refusal_reason(i));
		if (around[i])
			wv_messages_add(messages, WV_MESSAGE_NOTE,
					"note: %s of around-advice refused (%s): %s",
					wv_count_text(around[i], "shadow").text,
					wv_refusal_name(i), wv_refusal_reason(i));
	}
	if (tails)
		wv_messages_add(
			messages, WV_MESSAGE_NOTE,
			"note: %s %s: after-advice runs before the other function does",
			wv_count_text(tails, "exit").text,
			wv_plural(tails, "is a jump to another function",
				  "are jumps to other functions"));
}

/*
 * Adds a note about accesses whose shadow is not exact. The instruction at such a shadow may do
 * another access: then the advice runs for the wrong one, and some accesses may be counted twice.
 * Counts shadows in the same way as wr_count_precision(), so the numbers are the same in reports.
 */
static void note_precision(struct wv_messages *messages, const struct wv_selection *selection)
{
	uint32_t n[WEFT_PRECISION_OPTIMIZED_OUT] = { 0 };
	_cleanup_str_ struct wv_str text = { 0 };

	for (size_t i = 0; i < selection->list.n;) {
		const uint64_t offset = selection->list.data[i].offset;
		unsigned int worst = 0, accesses = 0;

		for (; i < selection->list.n && selection->list.data[i].offset == offset; i++) {
			const struct wv_match *match = selection->list.data[i].match;

			if (!match->joinpoint || selection->list.data[i].when == WEFT_CALLING)
				continue;
			accesses++;
			if (match->precision > worst)
				worst = match->precision;
		}
		n[worst] += accesses != 0;
	}
	wv_precision_text(n, &text);
	messages->failed |= text.failed;
	if (text.n)
		wv_messages_add(messages, WV_MESSAGE_NOTE, "note: %s", text.data);
}

void wv_note_rest(struct wv_messages *messages, const struct wv_selection *selection)
{
	if (selection->in_init)
		wv_messages_add(messages, WV_MESSAGE_NOTE,
				"note: %s left out: %s in text that a module has only while it "
				"initializes", wv_count_text(selection->in_init, "shadow").text,
				wv_plural(selection->in_init, "it is", "they are"));
	note_after(messages, selection);
	note_precision(messages, selection);
	if (selection->merged)
		wv_messages_add(messages, WV_MESSAGE_NOTE,
				"note: %zu joinpoint%s the shadow of another, which stands for %s",
				selection->merged, selection->merged == 1 ? " shares" : "s share",
				wv_plural(selection->merged, "it", "them"));
}
