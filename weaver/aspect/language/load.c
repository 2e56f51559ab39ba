// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Builds the aspect from the XML tree, after the tree has been checked against the language's
 * rules. Errors are collected, so that the author sees all mistakes of a file at once.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/abi.h"
#include "aspect/language/load.h"
#include "aspect/language/load-advice.h"
#include "aspect/language/load-attributes.h"
#include "aspect/language/load-blocks.h"
#include "aspect/language/load-check.h"
#include "aspect/language/load-flows.h"
#include "aspect/language/load-pick.h"
#include "aspect/language/load-program.h"
#include "aspect/language/load-refs.h"
#include "aspect/language/load-tags.h"
#include "aspect/language/load-tasks.h"
#include "aspect/language/load-metrics.h"
#include "aspect/xml/xml.h"
#include "base/limits.h"

/*
 * Maximum of the attribute `stack`, bytes of stack that advice may use: half of a kernel stack. The
 * default, WV_STACK_SMALL, is half of what the kernel allows one of its own functions
 * (CONFIG_FRAME_WARN).
 */
enum { STACK_MAX = 8192 };

/* ---- loading elements ------------------------------------------------------------------------ */

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
			if (!isalnum((unsigned char)*c) ||
			    (c == hint && isdigit((unsigned char)*c)))
				*c = '_';
		wv_report_error(&loader->list, attribute->value_location,
				"an aspect's name is made of letters, digits and _, since it is "
				"the module's too: '%s' could be '%s'",
				name, hint ? hint : "");
		free(hint);
	}
}

/* Loads how much time advice may take (budget, share), and whether the aspect waits for modules. */
static void load_limits(struct wv_loader *loader, const struct wv_xml_node *node)
{
	const struct wv_xml_attribute *budget = wv_load_attribute(node, "budget");
	const struct wv_xml_attribute *share = wv_load_attribute(node, "share");

	if (budget && !wv_budget_parse(budget->value, &loader->aspect->budget))
		wv_report_error(&loader->list, budget->value_location,
				"'%s' is not a budget: write %s", budget->value, WV_BUDGET_FORM);
	if (share && !wv_share_parse(share->value, &loader->aspect->share))
		wv_report_error(&loader->list, share->value_location,
				"'%s' is not a share: write %s", share->value, WV_SHARE_FORM);
	loader->aspect->pending = wv_load_yes(loader, node, "pending");
}

static void load_include(struct wv_loader *loader, const struct wv_xml_node *node)
{
	const struct wv_xml_attribute *attribute = wv_load_attribute(node, "header");
	struct wv_aspect_include *include;

	if (!attribute)
		return;
	if (!*attribute->value || strpbrk(attribute->value, "<>\"\\"))
		wv_report_error(&loader->list, attribute->value_location,
				"'%s' is not a header; write it as between the brackets of "
				"#include, for example linux/skbuff.h",
				attribute->value);
	include = wv_vec_push(&loader->aspect->includes);
	if (include) {
		include->location = attribute->value_location;
		include->header = strdup(attribute->value);
	}
	loader->list.no_memory |= !include || !include->header;
}

static void load_awake(struct wv_loader *loader, const struct wv_xml_node *node)
{
	const struct wv_xml_attribute *attribute = wv_load_attribute(node, "function");
	struct wv_aspect_awake *awake;

	if (!attribute)
		return;
	awake = wv_vec_push(&loader->aspect->awake);
	if (awake) {
		awake->location = attribute->value_location;
		awake->function = wv_load_identifier(loader, node, "function", ".");
	}
	loader->list.no_memory |= !awake || !awake->function;
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
				node->children.n ? node->children.data[1]->location
						 : node->location,
				"a <pointcut> holds one element that picks joinpoints; put several "
				"into <or> or <and>");
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
	wv_load_program(loader, node, pointcut);
	wv_load_flows(loader, node->children.data[0], pointcut);
	pointcut->pick = wv_load_pick(loader, node->children.data[0]);
}

/* ---- loading the whole aspect ---------------------------------------------------------------- */

/*
 * Reports each name of a pointcut in @node that does not exist. After other errors in the file this
 * function is called instead of bind_all(), whose further checks would report what merely follows
 * from those errors.
 */
static void check_names(struct wv_loader *loader, const struct wv_xml_node *node)
{
	static const char *const attributes[] = { "pointcut", "of", "from", "to", "until" };
	const struct wv_rule *rule = wv_rule_find(node->name);
	size_t index;

	for (size_t i = 0; i < sizeof(attributes) / sizeof(*attributes); i++) {
		const struct wv_xml_attribute *wanted = wv_load_attribute(node, attributes[i]);

		if (wanted && (wv_rule_has(rule->required, attributes[i]) ||
			       wv_rule_has(rule->optional, attributes[i])))
			wv_load_find(loader, wanted->value, wanted->value_location, &index);
	}
}

static bool is_advice(const struct wv_xml_node *node)
{
	return !strcmp(node->name, "before-advice") || !strcmp(node->name, "after-advice") ||
	       !strcmp(node->name, "around-advice");
}

static void load_element(struct wv_loader *loader, const struct wv_xml_node *node)
{
	static const struct {
		const char *name;
		void (*load)(struct wv_loader *loader, const struct wv_xml_node *node);
	} elements[] = {
		{ "include", load_include },
		{ "task", wv_load_task },
		{ "tag", wv_load_tag },
		{ "never-sleeps", load_awake },
		{ "declare", wv_load_block },
		{ "start", wv_load_block },
		{ "end", wv_load_block },
		{ "pointcut", load_pointcut },
		{ "before-advice", wv_load_advice },
		{ "after-advice", wv_load_advice },
		{ "around-advice", wv_load_advice },
	};

	for (size_t i = 0; i < sizeof(elements) / sizeof(*elements); i++)
		if (!strcmp(node->name, elements[i].name))
			elements[i].load(loader, node);
	if (wv_is_metric(node->name))
		wv_load_metric(loader, node);
}

/*
 * Binds each advice to its pointcut. The elements are walked in the order in which their advice was
 * added to the aspect. So the next advice in the aspect's list is always that of the next element.
 */
static void bind_all(struct wv_loader *loader, const struct wv_xml_node *root)
{
	struct wv_aspect *aspect = loader->aspect;
	size_t advice = 0;

	wv_vec_for_each(child, &root->children) {
		struct wv_aspect_advice *next = aspect->advices.data + advice;

		if (is_advice(*child)) {
			wv_load_bind(loader, *child, next, "pointcut");
			advice++;
		} else if (wv_is_metric((*child)->name)) {
			advice += wv_metric_bind(loader, *child, next);
		}
	}
}

static void load_aspect(struct wv_loader *loader, const struct wv_xml_node *root)
{
	struct wv_aspect *aspect = loader->aspect;

	aspect->location = root->location;
	load_name(loader, root);
	wv_load_tasks_room(loader, root);
	load_limits(loader, root);
	loader->aspect->stack = wv_load_attribute(root, "stack")
					? wv_load_number(loader, root, "stack", 1, STACK_MAX)
					: WV_STACK_SMALL;
	wv_vec_for_each(child, &root->children)
		load_element(loader, *child);
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
	/*
	 * After an error, a pointcut may be incomplete, so advice cannot be checked against it.
	 * Check only that the pointcuts' names exist.
	 */
	if (loader->list.errors.list.n) {
		wv_vec_for_each(child, &root->children)
			if (is_advice(*child) || wv_is_metric((*child)->name) ||
			    !strcmp((*child)->name, "tag"))
				check_names(loader, *child);
		return;
	}
	bind_all(loader, root);
	wv_load_tag_uses(loader);
	wv_load_tag_advices(loader);
	wv_load_check_programs(loader);
	if (!loader->list.errors.list.n)
		wv_load_flow_advices(loader);
}

int wv_aspect_load_all(const char *path, struct wv_aspect **ret, struct wv_errors *errors,
		       struct wv_error *error)
{
	return wv_aspect_load_text(path, NULL, ret, errors, error);
}

int wv_aspect_load_text(const char *path, const struct wv_str *text, struct wv_aspect **ret,
			struct wv_errors *errors, struct wv_error *error)
{
	struct wv_loader loader = { .list.path = path };
	struct wv_xml *xml;
	int failed;

	failed = wv_xml_read_text(path, text, &xml, errors, error);
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
				"the outermost element is <%s>; an aspect's is <aspect>",
				xml->root->name);
	} else {
		wv_load_check(&loader, xml->root, wv_rule_find("aspect"));
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
