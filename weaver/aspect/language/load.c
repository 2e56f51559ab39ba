// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From the XML tree to the aspect: checked against the language's table before anything is built
 * from it. Errors are collected, so that an author sees all of a file's slips at once.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/abi.h"
#include "aspect/language/aspect-model.h"
#include "aspect/language/body.h"
#include "aspect/language/condition.h"
#include "aspect/xml/errors.h"
#include "aspect/language/lexer.h"
#include "aspect/language/load-internal.h"
#include "aspect/language/metric-elements.h"
#include "aspect/language/rules.h"
#include "aspect/language/variables.h"
#include "base/duration.h"
#include "runtime/joinpoint-table.h"
#include "base/suggest.h"

const struct wv_xml_attribute *wv_load_attribute(const struct wv_xml_node *node, const char *name)
{
	wv_vec_for_each(attribute, &node->attributes)
		if (!strcmp(wv_rule_attribute(attribute->name), name))
			return attribute;
	return NULL;
}

/* ---- the tree against the table -------------------------------------------------------------- */

/* "unknown THING 'NAME' in <parent>; did you mean X?", or the list of what there may be. */
static void report_unknown(struct wv_loader *loader, struct wv_text_location location, const char *thing,
			     const char *name, const char *parent, const char *const *names, size_t n)
{
	struct wv_suggestion suggestion = { .wanted = name };
	struct wv_str all = { 0 };
	char text[512];

	for (size_t i = 0; i < n; i++) {
		wv_suggestion_offer(&suggestion, names[i]);
		wv_str_addf(&all, "%s%s", i ? ", " : "; it may have ", names[i]);
	}
	wv_suggestion_text(&suggestion, text, sizeof(text));
	wv_report_error(&loader->list, location, "unknown %s '%s' in <%s>%s", thing, name, parent,
		    *text ? text : all.data ? all.data : ", which has none");
	wv_str_deinit(&all);
}

static void check_attributes(struct wv_loader *loader, const struct wv_xml_node *node,
			     const struct wv_rule *rule)
{
	const char *names[2 * WV_RULE_NAMES];
	size_t n = 0;

	for (size_t i = 0; i < wv_rule_count(rule->required); i++)
		names[n++] = rule->required[i];
	for (size_t i = 0; i < wv_rule_count(rule->optional); i++)
		names[n++] = rule->optional[i];
	wv_vec_for_each(attribute, &node->attributes) {
		const char *name = wv_rule_attribute(attribute->name);

		if (!wv_rule_has(rule->required, name) && !wv_rule_has(rule->optional, name))
			report_unknown(loader, attribute->location, "attribute", attribute->name,
				       rule->name, names, n);
		else if (wv_load_attribute(node, name) != attribute)
			wv_report_error(&loader->list, attribute->location,
					"'%s' is an older word for '%s': give one of them",
					wv_load_attribute(node, name)->name, attribute->name);
	}
	for (size_t i = 0; i < wv_rule_count(rule->required); i++)
		if (!wv_load_attribute(node, rule->required[i]))
			wv_report_error(&loader->list, node->location, "<%s> needs the attribute '%s'",
				    rule->name, rule->required[i]);
}

static void check_text(struct wv_loader *loader, const struct wv_xml_node *node, const struct wv_rule *rule)
{
	struct wv_xml_text text;
	struct wv_error error;
	size_t blanks;

	if (rule->text)
		return;
	if (wv_xml_text(loader->xml, node, &text, &error)) {
		wv_report_error(&loader->list, (struct wv_text_location){ error.line, error.column }, "%s",
			    error.message);
		return;
	}
	blanks = strspn(text.bytes.data, " \t\n");
	if (text.bytes.data[blanks])
		wv_report_error(&loader->list, wv_xml_text_location(&text, blanks),
			    "text does not belong into <%s>", rule->name);
	wv_xml_text_deinit(&text);
}

static void check_node(struct wv_loader *loader, const struct wv_xml_node *node, const struct wv_rule *rule)
{
	check_attributes(loader, node, rule);
	check_text(loader, node, rule);
	wv_vec_for_each(child, &node->children) {
		const char *name = (*child)->name;

		if (wv_rule_has(rule->children, name))
			check_node(loader, *child, wv_rule_find(name));
		else if (rule->text)
			wv_report_error(&loader->list, (*child)->location,
				    "an element <%s> in a body (C's < is written &lt;, or the body is put into <![CDATA[ ]]>)",
				    name);
		else if (!strcmp(name, "within") || !strcmp(name, "not") || !strcmp(name, "cflow"))
			wv_report_error(&loader->list, (*child)->location,
				    "<%s> picks nothing by itself: it stands in an <and>, beside what does",
				    name);
		else
			report_unknown(loader, (*child)->location, "element", name, rule->name,
					 rule->children, wv_rule_count(rule->children));
	}
}

/* ---- the elements ---------------------------------------------------------------------------- */

static void load_name(struct wv_loader *loader, const struct wv_xml_node *node)
{
	const struct wv_xml_attribute *attribute = wv_load_attribute(node, "name");
	char *name;

	if (!attribute)
		return;
	name = strdup(attribute->value);
	if (!name) {
		loader->list.no_memory = true;
		return;
	}
	loader->aspect->name = name;
	if (strlen(name) >= WEFT_NAME_MAX) {
		wv_report_error(&loader->list, attribute->value_location,
			    "an aspect's name has at most %d characters, this one has %zu",
			    WEFT_NAME_MAX - 1, strlen(name));
	} else if (!strcmp(name, "weft")) {
		wv_report_error(&loader->list, attribute->value_location,
			    "the module of weft itself has the name 'weft'");
	} else if (!wv_load_is_identifier(name, "")) {
		char *hint = strdup(*name ? name : "my_aspect");

		for (char *c = hint; c && *c; c++)
			if (!isalnum((unsigned char)*c) || (c == hint && isdigit((unsigned char)*c)))
				*c = '_';
		wv_report_error(&loader->list, attribute->value_location,
			    "an aspect's name is made of letters, digits and _, since it is the module's too: '%s' could be '%s'",
			    name, hint ? hint : "");
		free(hint);
	}
}

static void load_include(struct wv_loader *loader, const struct wv_xml_node *node)
{
	const struct wv_xml_attribute *attribute = wv_load_attribute(node, "header");
	struct wv_aspect_include *include;

	if (!attribute)
		return;
	if (!*attribute->value || strpbrk(attribute->value, "<>\"\\"))
		wv_report_error(&loader->list, attribute->value_location,
			    "'%s' is not a header; write it as between the brackets of #include, for example linux/skbuff.h",
			    attribute->value);
	include = wv_vec_push(&loader->aspect->includes);
	if (include) {
		include->location = attribute->value_location;
		include->header = strdup(attribute->value);
	}
	loader->list.no_memory |= !include || !include->header;
}

static void load_pointcut(struct wv_loader *loader, const struct wv_xml_node *node)
{
	const struct wv_xml_attribute *name = wv_load_attribute(node, "name");
	struct wv_aspect_pointcut *pointcut;

	if (name) {
		wv_vec_for_each(other, &loader->aspect->pointcuts)
			if (other->name && !strcmp(other->name, name->value))
				wv_report_error(&loader->list, name->value_location,
					    "there is a pointcut '%s' already", name->value);
	}
	if (node->children.n != 1) {
		wv_report_error(&loader->list,
			    node->children.n ? node->children.data[1]->location : node->location,
			    "a <pointcut> holds one element that picks joinpoints; put several into <or> or <and>");
		if (!node->children.n)
			return;
	}
	pointcut = wv_vec_push(&loader->aspect->pointcuts);
	if (!pointcut) {
		loader->list.no_memory = true;
		return;
	}
	pointcut->location = node->children.data[0]->location;
	if (name)
		pointcut->name = wv_load_identifier(loader, node, "name", "-");
	wv_load_flows(loader, node->children.data[0], pointcut);
	pointcut->pick = wv_load_pick(loader, node->children.data[0]);
}

bool wv_load_yes(struct wv_loader *loader, const struct wv_xml_node *node, const char *name)
{
	const struct wv_xml_attribute *attribute = wv_load_attribute(node, name);

	if (!attribute || !strcmp(attribute->value, "no"))
		return false;
	if (strcmp(attribute->value, "yes"))
		wv_report_error(&loader->list, attribute->value_location, "%s is \"yes\" or \"no\"", name);
	return true;
}

static uint64_t load_time(struct wv_loader *loader, const struct wv_xml_node *node, const char *name)
{
	const struct wv_xml_attribute *attribute = wv_load_attribute(node, name);
	uint64_t time = 0;

	if (attribute && !wv_duration_parse(attribute->value, &time))
		wv_report_error(&loader->list, attribute->value_location,
			    "'%s' is no time: write a number and a unit (" WV_DURATION_UNITS "), for example 2s or 1.5ms",
			    attribute->value);
	return time;
}

void wv_load_times(struct wv_loader *loader, const struct wv_xml_node *node, struct wv_aspect_advice *advice)
{
	const struct wv_xml_attribute *stop_after = wv_load_attribute(node, "stop");
	size_t errors = loader->list.errors.list.n;

	advice->start_after = load_time(loader, node, "start");
	advice->stop_after = load_time(loader, node, "stop");
	if (stop_after && loader->list.errors.list.n == errors && advice->stop_after <= advice->start_after)
		wv_report_error(&loader->list, stop_after->value_location,
			    "the stop time is not after the start time: both count from the beginning of the aspect's time");
}

/*
 * The condition is checked by itself first, since it could close the bracket that it is put into;
 * one that is wrong is left out, and the body is still checked.
 */
static void add_condition(struct wv_loader *loader, const struct wv_xml_attribute *attribute,
			  struct wv_aspect_advice *advice)
{
	struct wv_aspect_code alone = { .location = attribute->value_location };
	size_t errors = loader->list.errors.list.n;
	struct wv_error error;

	if (wv_xml_value(loader->xml, attribute, &alone.text, &error)) {
		wv_report_error(&loader->list, (struct wv_text_location){ error.line, error.column }, "%s",
			    error.message);
		return;
	}
	if (!alone.text.bytes.data[strspn(alone.text.bytes.data, " \t\n")])
		wv_report_error(&loader->list, attribute->value_location,
			    "an empty condition; leave it out where advice runs always");
	wv_body_check(&alone, &loader->list);
	if (loader->list.errors.list.n == errors)
		loader->list.no_memory |=
			wv_condition_join(&advice->code.text, &alone.text, advice->once) != 0;
	wv_aspect_code_deinit(&alone);
}

static void load_advice(struct wv_loader *loader, const struct wv_xml_node *node)
{
	const struct wv_xml_attribute *condition = wv_load_attribute(node, "condition");
	struct wv_aspect_advice *advice = wv_vec_push(&loader->aspect->advices);

	if (!advice) {
		loader->list.no_memory = true;
		return;
	}
	advice->code.location = node->location;
	advice->after = !strcmp(node->name, "after-advice");
	advice->optional = wv_load_yes(loader, node, "optional");
	advice->once = wv_load_yes(loader, node, "once");
	advice->filter = wv_load_hit_filter(loader, node);
	wv_load_times(loader, node, advice);
	if (!wv_load_body(loader, node, &advice->code.text))
		return;
	advice->conditional = condition;
	if (condition)
		add_condition(loader, condition, advice);
	wv_body_check(&advice->code, &loader->list);
}

/* ---- advice to pointcut ---------------------------------------------------------------------- */

/* $target and $arg1 of a load or store, or after a call, would be whatever the registers happen to hold. */
static void check_scope(struct wv_loader *loader, const struct wv_aspect_advice *advice,
			const struct wv_aspect_code *code)
{
	unsigned int may_pick = loader->aspect->pointcuts.data[advice->pointcut].may_pick;
	const struct wv_xml_text *text = &code->text;

	wv_check_tasks(loader, code);
	if (advice->after && may_pick & WV_MAY_EXIT)
		wv_report_error(&loader->list, advice->code.location,
			    "nothing comes after a function's exit: put a <before-advice> there, or this one after the function");
	if (!advice->after && may_pick & WV_MAY_CALL)
		return;
	for (size_t i = 0; i < wv_nr_variables; i++) {
		size_t offset;

		if (!(code->variables & WV_VARIABLE_BIT(i)) || wv_variables[i].scope != WV_SCOPE_CALL)
			continue;
		offset = wv_token_find_name(text->bytes.data, text->bytes.n, wv_variables[i].name);
		wv_report_error(&loader->list,
			    offset == (size_t)-1 ? code->location : wv_xml_text_location(text, offset),
			    advice->after ?
				    "%s is gone after a call or function; keep it in a <before-advice>" :
				    "%s means something at a call or a function's entry only; this advice's pointcut picks neither",
			    wv_variables[i].name);
	}
}

static void bind(struct wv_loader *loader, const struct wv_xml_node *node,
		 struct wv_aspect_advice *advice, const char *attribute)
{
	const struct wv_xml_attribute *wanted = wv_load_attribute(node, attribute);
	const struct wv_aspect_code *code;

	if (wanted)
		wv_load_find(loader, wanted->value, wanted->value_location, &advice->pointcut);
	else if (loader->aspect->pointcuts.n > 1)
		wv_report_error(&loader->list, node->location,
			    "which pointcut is this %s for? There are %zu; say pointcut=\"NAME\"",
			    advice->metric ? node->name : "advice", loader->aspect->pointcuts.n);
	if (!advice->metric)
		check_scope(loader, advice, &advice->code);
	else
		for (size_t i = 0; (code = wv_metric_code(advice, i)); i++)
			check_scope(loader, advice, code);
}

/* Where something else is wrong already: are the pointcuts there that this names? */
static void check_names(struct wv_loader *loader, const struct wv_xml_node *node)
{
	static const char *const attributes[] = { "pointcut", "of", "from", "to" };
	const struct wv_rule *rule = wv_rule_find(node->name);
	size_t index;

	for (size_t i = 0; i < sizeof(attributes) / sizeof(*attributes); i++) {
		const struct wv_xml_attribute *wanted = wv_load_attribute(node, attributes[i]);

		if (wanted && (wv_rule_has(rule->required, attributes[i]) || wv_rule_has(rule->optional, attributes[i])))
			wv_load_find(loader, wanted->value, wanted->value_location, &index);
	}
}

static bool is_advice(const struct wv_xml_node *node)
{
	return !strcmp(node->name, "before-advice") || !strcmp(node->name, "after-advice");
}

static void load_aspect(struct wv_loader *loader, const struct wv_xml_node *root)
{
	struct wv_aspect *aspect = loader->aspect;
	size_t advice = 0;

	aspect->location = root->location;
	load_name(loader, root);
	wv_load_tasks_room(loader, root);
	wv_vec_for_each(child, &root->children) {
		if (!strcmp((*child)->name, "include"))
			load_include(loader, *child);
		else if (!strcmp((*child)->name, "task"))
			wv_load_task(loader, *child);
		else if (wv_is_block((*child)->name))
			wv_load_block(loader, *child);
		else if (!strcmp((*child)->name, "pointcut"))
			load_pointcut(loader, *child);
		else if (is_advice(*child))
			load_advice(loader, *child);
		else if (wv_is_metric((*child)->name))
			wv_load_metric(loader, *child);
	}
	if (!aspect->pointcuts.n) {
		if (!loader->list.errors.list.n)
			wv_report_error(&loader->list, root->location,
				    "an aspect needs at least one <pointcut>");
		return;
	}
	wv_vec_for_each(pointcut, &aspect->pointcuts)
		if (!pointcut->name && aspect->pointcuts.n > 1)
			wv_report_error(&loader->list, pointcut->location,
				    "where there are several pointcuts, each needs a name");
	if (!loader->list.no_memory)
		wv_load_resolve(loader);
	if (loader->list.no_memory)
		return;
	if (loader->list.errors.list.n) { /* what binds to a broken pointcut cannot be judged, but for its name */
		wv_vec_for_each(child, &root->children)
			if (is_advice(*child) || wv_is_metric((*child)->name))
				check_names(loader, *child);
		return;
	}
	wv_vec_for_each(child, &root->children) {
		if (is_advice(*child))
			bind(loader, *child, &aspect->advices.data[advice++], "pointcut");
		else if (wv_is_metric((*child)->name))
			advice += wv_metric_bind(loader, *child, &aspect->advices.data[advice], bind);
	}
	if (!loader->list.errors.list.n)
		wv_load_flow_advices(loader);
}

int wv_aspect_load_all(const char *path, struct wv_aspect **ret, struct wv_errors *errors,
		       struct wv_error *error)
{
	struct wv_loader loader = { .list.path = path };
	struct wv_xml *xml;
	int failed;

	failed = wv_xml_read(path, &xml, errors, error);
	if (failed)
		return failed;
	loader.xml = xml;
	loader.aspect = calloc(1, sizeof(*loader.aspect));
	if (loader.aspect)
		loader.aspect->path = strdup(path);
	if (!loader.aspect || !loader.aspect->path) {
		loader.list.no_memory = true;
	} else if (strcmp(xml->root->name, "aspect")) {
		wv_report_error(&loader.list, xml->root->location,
			    "the outermost element is <%s>; an aspect's is <aspect>", xml->root->name);
	} else {
		check_node(&loader, xml->root, wv_rule_find("aspect"));
		load_aspect(&loader, xml->root);
	}
	if (loader.aspect)
		loader.aspect->xml = xml;
	else
		wv_xml_destroy(xml);
	failed = wv_error_list_finish(&loader.list, error);
	if (failed) {
		wv_aspect_destroy(loader.aspect);
		loader.aspect = NULL;
	}
	if (errors)
		*errors = loader.list.errors;
	else
		wv_errors_deinit(&loader.list.errors);
	*ret = loader.aspect;
	return failed;
}

int wv_aspect_load(const char *path, struct wv_aspect **ret, struct wv_error *error)
{
	return wv_aspect_load_all(path, ret, NULL, error);
}

void wv_aspect_destroy(struct wv_aspect *aspect)
{
	if (!aspect)
		return;
	wv_vec_for_each(include, &aspect->includes)
		free(include->header);
	wv_vec_for_each(pointcut, &aspect->pointcuts) {
		free(pointcut->name);
		wv_pick_destroy(pointcut->pick);
		wv_vec_deinit(&pointcut->flows);
	}
	wv_vec_for_each(flow, &aspect->flows)
		free(flow->function);
	wv_vec_deinit(&aspect->flows);
	wv_vec_for_each(advice, &aspect->advices)
		wv_aspect_code_deinit(&advice->code);
	wv_vec_for_each(declare, &aspect->declares)
		wv_aspect_code_deinit(declare);
	wv_aspect_code_deinit(&aspect->start);
	wv_aspect_code_deinit(&aspect->end);
	wv_vec_for_each(metric, &aspect->metrics)
		wv_metric_destroy(*metric);
	wv_vec_for_each(task, &aspect->tasks) {
		free(task->name);
		wv_aspect_code_deinit(&task->type);
	}
	wv_vec_deinit(&aspect->tasks);
	wv_vec_for_each(filter, &aspect->whos)
		wv_hit_filter_destroy(*filter);
	wv_vec_deinit(&aspect->whos);
	wv_vec_deinit(&aspect->metrics);
	wv_vec_deinit(&aspect->declares);
	wv_vec_deinit(&aspect->includes);
	wv_vec_deinit(&aspect->pointcuts);
	wv_vec_deinit(&aspect->advices);
	wv_xml_destroy(aspect->xml);
	free(aspect->path);
	free(aspect->name);
	free(aspect);
}
