// SPDX-License-Identifier: GPL-2.0-or-later
/* Loads advice, and binds it to its pointcut; see load-advice.h. */
#include <string.h>

#include "aspect/language/advice-code.h"
#include "aspect/language/body.h"
#include "aspect/language/condition.h"
#include "aspect/language/lexer.h"
#include "aspect/language/load-advice.h"
#include "aspect/language/load-refs.h"
#include "aspect/language/load-tasks.h"
#include "aspect/language/load-filter.h"
#include "base/duration.h"
#include "runtime/frame.h"

static uint64_t load_time(struct wv_loader *loader, const struct wv_xml_node *node,
			  const char *name)
{
	const struct wv_xml_attribute *attribute = wv_load_attribute(node, name);
	uint64_t time = 0;

	if (attribute && !wv_duration_parse(attribute->value, &time))
		wv_report_error(&loader->list, attribute->value_location,
			    "'%s' is not a time: write a number and a unit (" WV_DURATION_UNITS
			    "), for example 2s or 1.5ms",
			    attribute->value);
	return time;
}

void wv_load_times(struct wv_loader *loader, const struct wv_xml_node *node,
		   struct wv_aspect_advice *advice)
{
	const struct wv_xml_attribute *stop_after = wv_load_attribute(node, "stop");
	size_t errors = loader->list.errors.list.n;

	advice->start_after = load_time(loader, node, "start");
	advice->stop_after = load_time(loader, node, "stop");
	if (stop_after && loader->list.errors.list.n == errors &&
	    advice->stop_after <= advice->start_after)
		wv_report_error(&loader->list, stop_after->value_location,
			    "the stop time is not after the start time: both count from the "
			    "beginning of the aspect's time");
}

/*
 * Checks the condition, and puts it before the body. The condition becomes the text between the
 * brackets of weft_when(), which a wrong bracket in the condition could close. So the condition is
 * checked alone first. A condition that has errors is left out, so that the body can still be
 * checked.
 */
static void add_condition(struct wv_loader *loader, const struct wv_xml_attribute *attribute,
			  struct wv_aspect_advice *advice)
{
	struct wv_aspect_code alone = { 0 };
	size_t errors = loader->list.errors.list.n;

	if (!wv_load_code(loader, attribute, &alone))
		return;
	if (wv_code_is_blank(&alone))
		wv_report_error(&loader->list, attribute->value_location,
			    "an empty condition; leave it out where advice runs always");
	wv_body_check(&alone, &loader->list);
	if (loader->list.errors.list.n == errors)
		loader->list.no_memory |=
			wv_condition_join(&advice->code.text, &alone.text, advice->once) != 0;
	wv_aspect_code_deinit(&alone);
}

void wv_load_advice(struct wv_loader *loader, const struct wv_xml_node *node)
{
	const struct wv_xml_attribute *condition = wv_load_attribute(node, "condition");
	struct wv_aspect_advice *advice = wv_vec_push(&loader->aspect->advices);

	if (!advice) {
		loader->list.no_memory = true;
		return;
	}
	advice->after = !strcmp(node->name, "after-advice");
	advice->around = !strcmp(node->name, "around-advice");
	advice->optional = wv_load_yes(loader, node, "optional");
	advice->once = wv_load_yes(loader, node, "once");
	advice->filter = wv_load_hit_filter(loader, node);
	wv_load_times(loader, node, advice);
	if (!wv_load_body(loader, node, &advice->code))
		return;
	advice->conditional = condition;
	if (condition)
		add_condition(loader, condition, advice);
	wv_body_check(&advice->code, &loader->list);
}

/* ---- the variables of an advice -------------------------------------------------------------- */

static void take_name(struct wv_loader *loader, const struct wv_reference *named,
		      struct wv_reference *ret)
{
	if (ret) {
		*ret = *named;
		ret->name = strdup(named->name);
	}
	loader->list.no_memory |= !ret || !ret->name;
}

void wv_load_take_names(struct wv_loader *loader, struct wv_aspect_advice *advice,
			const struct wv_aspect_code *code)
{
	advice->code.variables |= code->variables;
	advice->code.calls |= code->calls;
	advice->code.stack |= code->stack;
	wv_vec_for_each(named, &code->named) {
		bool known = false;

		wv_vec_for_each(other, &advice->code.named)
			known |= other->kind == named->kind && !strcmp(other->name, named->name);
		if (!known)
			take_name(loader, named, wv_vec_push(&advice->code.named));
	}
	wv_vec_for_each(named, &code->tasks)
		take_name(loader, named, wv_vec_push(&advice->code.tasks));
}

/* ---- binding advice to its pointcut ---------------------------------------------------------- */

/* Returns the location where @code names the variable @name. */
static struct wv_text_location location_of(const struct wv_aspect_code *code, const char *name)
{
	const struct wv_xml_text *text = &code->text;
	size_t offset = wv_token_find_name(text->bytes.data, text->bytes.n, name);

	return offset == (size_t)-1 ? code->location : wv_xml_text_location(text, offset);
}

/* Reports $elapsed in C that runs before the elapsed time is known. */
static void check_elapsed(struct wv_loader *loader, const struct wv_aspect_advice *advice,
			  const struct wv_aspect_code *code)
{
	const struct wv_metric *metric = advice->metric;

	if (metric && metric->type == WEFT_METRIC_ELAPSED && code == &metric->to_condition.code)
		return;
	for (size_t i = 0; i < wv_nr_variables; i++)
		if (code->variables & WV_VARIABLE_BIT(i) &&
		    wv_variables[i].scope == WV_SCOPE_ELAPSED)
			wv_report_error(&loader->list, location_of(code, wv_variables[i].name),
					"%s means something in the text of an <elapsed> and in its "
					"to-condition only", wv_variables[i].name);
}

/*
 * Reports after-advice of a pointcut that picks exits, after which nothing comes. Also reports
 * variables such as $target and $arg1 if no joinpoint can have them: the registers hold these
 * values only before a call or at a function's entry.
 */
static void check_scope(struct wv_loader *loader, const struct wv_aspect_advice *advice,
			const struct wv_aspect_code *code, uint64_t variables)
{
	unsigned int may_pick = loader->aspect->pointcuts.data[advice->pointcut].may_pick;

	wv_check_tasks(loader, code);
	if (advice->after && may_pick & WV_MAY_EXIT)
		wv_report_error(&loader->list, advice->code.location,
			    "nothing comes after a function's exit: put a <before-advice> there, "
			    "or this one after the function");
	if (advice->after && may_pick & WV_MAY_TRACEPOINT)
		wv_report_error(&loader->list, advice->code.location,
			    "nothing comes after a tracepoint: put a <before-advice> there");
	if (!advice->after && may_pick & WV_MAY_CALL)
		return;
	for (size_t i = 0; i < wv_nr_variables; i++) {
		if (!(variables & WV_VARIABLE_BIT(i)) || wv_variables[i].scope != WV_SCOPE_CALL)
			continue;
		wv_report_error(
			&loader->list, location_of(code, wv_variables[i].name),
			advice->after ? "%s is gone after a call or function; keep it in a "
					"<before-advice>"
				      : "%s means something at a call or a function's entry "
					"only; this advice's pointcut picks neither%s",
			wv_variables[i].name,
			may_pick & WV_MAY_TRACEPOINT ?
				" (a tracepoint's arguments have names: $(NAME))" : "");
	}
}

/*
 * Reports around-advice whose pointcut may pick something other than functions and calls. Also
 * reports variables that need a register, because around-advice has only the registers of
 * arguments; around calls it also has $target.
 */
static void check_around(struct wv_loader *loader, const struct wv_aspect_advice *advice,
			 const struct wv_aspect_code *code)
{
	const unsigned int may_pick = loader->aspect->pointcuts.data[advice->pointcut].may_pick;

	if (!advice->around)
		return;
	if (may_pick & WV_MAY_OTHER)
		wv_report_error(&loader->list, code->location,
				"around-advice is for functions and calls: its pointcut picks them "
				"by <function>, at the entry, by <call>, or by <member-access> "
				"with kind=\"call\"");
	for (size_t i = 0; i < wv_nr_variables; i++) {
		const bool target = wv_variables[i].needs == WR_BIT(WR_TARGET);

		if (!(code->variables & WV_VARIABLE_BIT(i)) || !wv_variables[i].needs ||
		    !strncmp(wv_variables[i].name, "$arg", strlen("$arg")) ||
		    (target && !(may_pick & WV_MAY_ENTRY)))
			continue;
		wv_report_error(&loader->list, location_of(code, wv_variables[i].name),
				"around-advice %s has the arguments, $arg1 to $arg6, and not %s",
				target ? "of functions" : "of functions and calls",
				wv_variables[i].name);
	}
}

void wv_load_check_code(struct wv_loader *loader, const struct wv_aspect_advice *advice,
			const struct wv_aspect_code *code)
{
	check_scope(loader, advice, code, code->variables);
	check_elapsed(loader, advice, code);
	check_around(loader, advice, code);
}

void wv_load_bind(struct wv_loader *loader, const struct wv_xml_node *node,
		  struct wv_aspect_advice *advice, const char *attribute)
{
	const struct wv_xml_attribute *wanted = wv_load_attribute(node, attribute);
	const struct wv_aspect_code *code;

	if (wanted)
		wv_load_find(loader, wanted->value, wanted->value_location, &advice->pointcut);
	else if (loader->aspect->pointcuts.n > 1)
		wv_report_error(&loader->list, node->location,
			    "which pointcut is this %s for? There are %zu; add pointcut=\"NAME\"",
			    advice->metric ? node->name : "advice", loader->aspect->pointcuts.n);
	if (!advice->metric && !advice->tag) {
		wv_load_check_code(loader, advice, &advice->code);
		return;
	}
	for (size_t i = 0; (code = wv_advice_code(loader->aspect, advice, i)); i++)
		wv_load_check_code(loader, advice, code);
	if (advice->ends)
		check_scope(loader, advice, &advice->code, advice->metric->body_variables);
}
