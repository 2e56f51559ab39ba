// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds variables in the kernel's DWARF, shadow by shadow; see values-find.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aspect/resolve/finder.h"
#include "aspect/resolve/values-find.h"
#include "base/notation.h"
#include "aspect/resolve/values-local.h"
#include "aspect/resolve/values-member.h"
#include "aspect/resolve/values-suggest.h"
#include "aspect/resolve/values-locations.h"
#include "aspect/resolve/values-return.h"
#include "aspect/resolve/signature.h"
#include "runtime/plan-rules.h"
#include "splice/refusal.h"
#include "aspect/resolve/values-symbol.h"
#include "database/db.h"

/*
 * maximum number of messages for one advice that lacks variables; each message is about one
 * variable at one shadow
 */
#define SAID_MAX 3

/*
 * Widens @type, so that it can also hold values of the type @other. @type is the variable's type at
 * the shadows so far, @other its type at another shadow. Returns false if no type can hold both.
 */
static bool unite(struct wv_type *type, const struct wv_type *other)
{
	if (!strcmp(type->text, other->text) && type->kind == other->kind)
		return true;
	if (type->kind != other->kind)
		return false;
	if (type->kind == WV_TYPE_POINTER) {
		strcpy(type->text, "void *");
		return true;
	}
	if (type->kind != WV_TYPE_INTEGER)
		return false;
	/*
	 * Take a type of 64 bits, which holds the values of both types. The C at each shadow
	 * converts to it from the variable's type at that shadow.
	 */
	type->is_signed |= other->is_signed;
	type->size = sizeof(uint64_t);
	strcpy(type->text, type->is_signed ? "long" : "unsigned long");
	return true;
}

static char *describe_variable(const struct wv_reference *named)
{
	const char *word = wv_reference_words[named->kind];
	char *text = NULL;

	if (asprintf(&text, *named->name ? "%s(%s)" : "%s", word, named->name) < 0)
		return NULL;
	return text;
}

static void add_available(const char *name, void *out)
{
	wv_str_addf(out, " $(%s)", name);
}

/*
 * Appends help for the author. If the name is unknown, appends similar names ("; did you mean a?").
 * For a local variable, also appends those that are available (" There are $(a) $(b)").
 */
static int list_available(struct wv_finder *finder, const struct wv_reference *named,
			  const struct wv_finding *finding, struct wv_str *out)
{
	struct wv_suggestion suggestion;
	char hint[512] = "";
	size_t before;
	int failed = 0;

	if (finding->unknown) {
		failed = wv_suggest(finder, named, finding, &suggestion);
		wv_str_add(out, wv_suggestion_text(&suggestion, hint, sizeof(hint)));
	}
	if (!failed && !*hint)
		failed = wv_list_members(finder, finding, out);
	if (failed || named->kind != WV_REFERENCE_LOCAL)
		return failed;
	wv_str_add(out, *hint ? " There are" : "; there are");
	before = out->n;
	wv_find_available(finder, add_available, out);
	if (out->n == before)
		wv_str_add(out, " none");
	return 0;
}

static int report(struct wv_finder *finder, struct wv_error_list *list,
		    const struct wv_reference *named, const struct wv_finding *finding)
{
	const struct wv_match *match = finder->joinpoint->match;
	const char *why = finding->found.why;
	struct wv_str available = { 0 };
	char *what = describe_variable(named);
	int failed = list_available(finder, named, finding, &available);

	wv_report_error(list, named->location, "%s at %s (%s): %s%s", what ? what : "?",
		    wv_symbol_text(match->symbol, match->symbol_offset).text,
		    wv_source_text(match->file, match->line, 0).text,
		    why ? why : "its location is too long", available.data ? available.data : "");
	list->no_memory |= !what;
	free(what);
	wv_str_deinit(&available);
	return failed;
}

/*
 * Returns the C of one shadow, from what was found there. A value of less than 64 bits is cast to
 * its own type first. Without this cast, the conversion to the variable's common type would extend
 * it wrongly.
 */
static char *case_text(const struct wv_finding *finding)
{
	char *text = NULL;
	int n;

	if (finding->type.kind != WV_TYPE_INTEGER || finding->type.size == sizeof(uint64_t))
		n = asprintf(&text, "%s", finding->found.text);
	else if (!strcmp(finding->type.text, "_Bool"))
		n = asprintf(&text, "(unsigned char)(%s)", finding->found.text);
	else
		n = asprintf(&text, "(%s)(%s)", finding->type.text, finding->found.text);
	return n < 0 ? NULL : text;
}

static int add_case(struct wv_finder *finder, struct wv_error_list *list, struct wv_value *value,
		    const struct wv_finding *finding, size_t joinpoint)
{
	static const struct wv_finding other_type = {
		.found.why = "its type is of another kind than at another shadow",
	};
	struct wv_value_case *slot;

	if (value->cases.n && !unite(&value->type, &finding->type))
		return report(finder, list, value->named, &other_type);
	if (!value->cases.n)
		value->type = finding->type;
	slot = wv_vec_push(&value->cases);
	if (slot) {
		slot->joinpoint = joinpoint;
		slot->text = case_text(finding);
	}
	list->no_memory |= !slot || !slot->text;
	return 0;
}

static int find_one(struct wv_finder *finder, const struct wv_reference *named,
		    struct wv_finding *ret)
{
	memset(ret, 0, sizeof(*ret));
	/* After a call, $value is the value that the call has returned. */
	if (named->kind == WV_REFERENCE_VALUE && finder->joinpoint->when == WEFT_RETURNED)
		return wv_find_return(finder, ret);
	switch (named->kind) {
	case WV_REFERENCE_LOCAL:
		wv_find_local(finder, named->name, ret);
		return 0;
	case WV_REFERENCE_SYMBOL:
		return wv_find_symbol(finder, named->name, ret);
	case WV_REFERENCE_RETURN:
		return wv_find_return(finder, ret);
	case WV_REFERENCE_RESULT:
		return wv_find_result(finder, ret);
	default:
		return wv_find_member(finder, named, ret);
	}
}

/*
 * What was found missing for one advice.
 * .said: number of times that a variable was unavailable at a shadow; the first SAID_MAX are
 * reported.
 * .dropped: a joinpoint was dropped without a message, because the advice is optional; .first is
 * the first of these joinpoints.
 */
struct lack {
	size_t said;
	bool dropped;
	struct wv_selected first;
};

/* Notes that @joinpoint is dropped, and copies it if it is the first one. False: out of memory. */
static bool note_drop(struct lack *lack, const struct wv_selected *joinpoint)
{
	if (lack->dropped)
		return true;
	lack->dropped = true;
	lack->first = *joinpoint;
	lack->first.what = strdup(joinpoint->what ? joinpoint->what : "");
	return lack->first.what;
}

/*
 * Finds the variables that the advice's code names, at the finder's joinpoint. If one of them is
 * unavailable there, sets *@keep_ret to false, and the caller drops the joinpoint. @kept: the
 * number of joinpoints that were kept before this one. It becomes the joinpoint's index if this one
 * is kept.
 */
static int find_all(struct wv_finder *finder, const struct wv_aspect *aspect,
		    struct wv_error_list *list, struct wv_values *values, struct lack *lacks,
		    size_t kept, bool *keep_ret)
{
	const struct wv_aspect_advice *advice = &aspect->advices.data[finder->joinpoint->advice];
	struct wv_advice_values *own = &values->advices.data[finder->joinpoint->advice];
	struct lack *lack = &lacks[finder->joinpoint->advice];
	struct wv_finding *findings = calloc(advice->code.named.n, sizeof(*findings));
	int failed = findings ? 0 : wv_fail(finder->error, WV_E_NO_MEMORY, "out of memory");

	*keep_ret = true;
	for (size_t i = 0; !failed && i < advice->code.named.n; i++) {
		const struct wv_reference *named = &advice->code.named.data[i];

		failed = find_one(finder, named, &findings[i]);
		if (!failed && advice->around)
			wv_signature_limit(&findings[i]);
		if (failed || findings[i].found.kind != WV_FOUND_NOT)
			continue;
		*keep_ret = false;
		if (advice->optional && named->kind != WV_REFERENCE_SYMBOL) {
			list->no_memory |= !note_drop(lack, finder->joinpoint);
			break;
		}
		if (lack->said++ < SAID_MAX)
			failed = report(finder, list, named, &findings[i]);
	}
	if (!*keep_ret)
		own->dropped++;
	for (size_t i = 0; !failed && *keep_ret && i < advice->code.named.n; i++) {
		own->registers |= findings[i].found.registers;
		failed = add_case(finder, list, &own->list.data[i], &findings[i], kept);
	}
	free(findings);
	return failed;
}

/*
 * Reports an optional advice that has no joinpoint left, and what its first dropped joinpoint
 * lacks.
 */
static int explain_lack(struct wv_finder *finder, const struct wv_aspect_advice *advice,
			const struct lack *lack, struct wv_error_list *list)
{
	int failed = lack->first.what ? wv_finder_look_at(finder, &lack->first) :
					wv_no_memory(finder->error);

	wv_report_error(list, advice->code.location,
		    "no shadow of this optional advice has all its variables: nothing would ever "
		    "run it");
	wv_vec_for_each(named, &advice->code.named) {
		struct wv_finding finding;

		if (!failed)
			failed = find_one(finder, named, &finding);
		if (!failed && finding.found.kind == WV_FOUND_NOT)
			failed = report(finder, list, named, &finding);
	}
	return failed;
}

/* Widens @result so that it also holds values of the type at offset @returned of .debug_info. */
static void add_result(const struct wv_finder *finder, uint64_t returned, struct wv_type *result)
{
	struct wv_type type;

	wv_type_describe(wv_scopes_dies(finder->scopes), returned, &type);
	if (type.kind == WV_TYPE_POINTER)
		strcpy(type.text, "void *");
	if (!result->size)
		*result = type;
	else if (!unite(result, &type))
		result->kind = WV_TYPE_NONE;
}

/*
 * Finds in which registers the joinpoint's function has its arguments and its result; for a call,
 * the function that is called. Around-advice runs instead of this function, and needs them. Refuses
 * the joinpoint if the function cannot have around-advice, for example because an argument is on
 * the stack, or because each task in it would be inside the advice for ever. *@first: the reason
 * for the first joinpoint of the advice that was refused; NULL: none was refused yet.
 */
static int look_at_signature(struct wv_finder *finder, struct wv_afters *afters,
			     struct wv_selected *joinpoint, struct wv_advice_values *own,
			     const char **first)
{
	struct wv_signature signature;
	bool ends = true;
	int failed = wv_find_signature(finder, &signature);

	if (!failed && !signature.why && joinpoint->when == WEFT_AROUND)
		failed = wv_afters_ends(afters, joinpoint->match, &ends, finder->error);
	if (failed)
		return failed;
	if (!ends) {
		signature.why = "it never returns";
		signature.refusal = WEFT_REFUSAL_NO_END;
	}
	if (signature.why) {
		joinpoint->refusal = signature.refusal;
		*first = *first ? *first : signature.why;
		return 0;
	}
	if (signature.registers > own->arguments)
		own->arguments = signature.registers;
	own->returns |= signature.returns;
	if (signature.preserves)
		joinpoint->preserves = signature.returns ? WV_PRESERVES_MOST : WV_PRESERVES_ALL;
	if (signature.returned)
		add_result(finder, signature.returned, &own->result);
	own->through |= signature.through;
	return 0;
}

/* Reports around-advice that leaves no register for the target of its calls through pointers. */
static void check_through(const struct wv_aspect_advice *advice, struct wv_advice_values *own,
			  struct wv_error_list *list)
{
	const int last = wv_variable_find("$arg6", strlen("$arg6"));

	if (!own->through ||
	    (own->arguments < WV_ARGUMENTS_MAX && !(own->registers & WR_BIT(WR_R9)) &&
	     !(advice->code.variables & WV_VARIABLE_BIT(last))))
		return;
	wv_report_error(list, advice->code.location,
			"this advice is for calls through pointers, whose target takes a register, "
			"and it also has a sixth argument: make two of it");
	own->through = false; /* so that its C can still be checked */
}

/*
 * Reports around-advice @index if all of its joinpoints are refused because of their signatures;
 * @why: the reason for the first of them.
 */
static void check_signatures(const struct wv_aspect *aspect, const struct wv_selection *selection,
			     size_t index, const char *why, struct wv_error_list *list)
{
	const struct wv_selected *refused = NULL;

	wv_vec_for_each(joinpoint, &selection->list) {
		if (joinpoint->advice != index)
			continue;
		if (!joinpoint->refusal)
			return;
		refused = refused ? refused : joinpoint;
	}
	if (refused && why)
		wv_report_error(list, aspect->advices.data[index].code.location,
				"around-advice cannot take the place of %s%s: %s (%s)",
				refused->when == WEFT_AROUND_CALL ? "the call in " : "",
				refused->match->symbol ? refused->match->symbol : "it", why,
				wv_refusal_name(refused->refusal));
}

static int find_everywhere(struct wv_finder *finder, const struct wv_aspect *aspect,
			   struct wv_selection *selection, struct wv_error_list *list,
			   struct wv_values *values)
{
	struct lack *lacks = calloc(aspect->advices.n, sizeof(*lacks));
	const char **refused = calloc(aspect->advices.n, sizeof(*refused));
	size_t kept = 0;
	int failed = lacks && refused ? 0 : wv_fail(finder->error, WV_E_NO_MEMORY, "out of memory");

	for (size_t i = 0; !failed && i < selection->list.n; i++) {
		struct wv_selected *joinpoint = &selection->list.data[i];
		const bool around = wr_is_around(joinpoint->when);
		bool keep = true,
		     look = (aspect->advices.data[joinpoint->advice].code.named.n || around) &&
			    !joinpoint->refusal && joinpoint->when != WEFT_CALLING;

		if (look) {
			failed = wv_finder_look_at(finder, joinpoint);
			if (!failed && around)
				failed = look_at_signature(finder, &selection->afters, joinpoint,
							   &values->advices.data[joinpoint->advice],
							   &refused[joinpoint->advice]);
			if (!failed && !joinpoint->refusal)
				failed = find_all(finder, aspect, list, values, lacks, kept, &keep);
		}
		if (!keep) {
			free(joinpoint->what);
			joinpoint->what = NULL;
			finder->joinpoint = NULL;
			continue;
		}
		if (kept != i) {
			selection->list.data[kept] = *joinpoint;
			joinpoint->what = NULL;
		}
		/*
		 * Entries of the list move down to the places of dropped ones, and so may this
		 * joinpoint. The finder points to the joinpoint whose scope it has cached, so
		 * update that pointer.
		 */
		if (look)
			finder->joinpoint = &selection->list.data[kept];
		kept++;
	}
	for (size_t i = failed ? selection->list.n : kept; i < selection->list.n; i++)
		selection->list.data[i].what = NULL;
	if (!failed)
		selection->list.n = kept;
	wv_vec_for_each(advice, &aspect->advices) {
		size_t index = advice - aspect->advices.data;
		size_t lacking = failed ? 0 : values->advices.data[index].dropped;

		if (lacks && lacks[index].said)
			wv_report_error(list, advice->code.location,
				    "%s of this advice %s a variable; "
				    "optional=\"yes\" drops such shadows",
				    wv_count_text(lacking, "shadow").text,
				    wv_plural(lacking, "lacks", "lack"));
		else if (lacking && !values->advices.data[index].list.data->cases.n)
			failed = explain_lack(finder, advice, &lacks[index], list);
		if (!failed && refused[index])
			check_signatures(aspect, selection, index, refused[index], list);
		if (!failed)
			check_through(advice, &values->advices.data[index], list);
	}
	free(refused);
	for (size_t i = 0; lacks && i < aspect->advices.n; i++)
		free(lacks[i].first.what);
	free(lacks);
	return failed;
}

static int prepare(struct wv_values *values, const struct wv_aspect *aspect, struct wv_error *error)
{
	wv_vec_for_each(advice, &aspect->advices) {
		struct wv_advice_values *own = wv_vec_push(&values->advices);

		if (!own)
			return wv_fail(error, WV_E_NO_MEMORY, "out of memory");
		wv_vec_for_each(named, &advice->code.named) {
			struct wv_value *value = wv_vec_push(&own->list);

			if (!value)
				return wv_fail(error, WV_E_NO_MEMORY, "out of memory");
			value->named = named;
		}
	}
	return 0;
}

int wv_values_find(struct wv_values *values, const struct wv_aspect *aspect,
		   struct wv_selection *selection, struct wv_db *db,
		   const struct wv_kernel_files *files,
		   struct wv_errors *errors, struct wv_error *error)
{
	struct wv_finder finder = { .text = wv_db_text_address(db), .error = error };
	struct wv_error_list list = { .path = aspect->path };
	int failed = prepare(values, aspect, error);

	if (!failed && wv_values_wanted(aspect)) {
		const bool kernel = wv_values_wanted_of_kernel(aspect);

		failed = wv_finder_open(&finder, db, kernel ? files : NULL);
		if (!failed && kernel)
			failed = wv_find_symbols(&finder, aspect);
		if (!failed)
			failed = find_everywhere(&finder, aspect, selection, &list, values);
		if (!failed && !list.no_memory)
			failed = wv_values_number(values, error);
		wv_finder_close(&finder);
	}
	if (!failed)
		failed = wv_error_list_finish(&list, error);
	if (failed && list.errors.list.n)
		*error = list.errors.list.data[list.errors.list.n - 1];
	*errors = list.errors;
	return failed;
}
