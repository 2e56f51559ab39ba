// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From the XML tree to the aspect: the language's elements as one table, checked before anything is
 * built from them. Errors are collected, so that an author sees all of a file's slips at once.
 */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "../runtime/abi.h"
#include "aspect/aspect.h"
#include "aspect/body.h"
#include "aspect/errors.h"
#include "aspect/lexer.h"
#include "aspect/variables.h"
#include "gcc-plugin/table.h"
#include "joinpoint/near.h"

/* KLAS's meaning of a member access: every execution that reads, writes or calls through it. */
#define KINDS_DEFAULT                                                        \
	(WV_KIND_BIT(WEFT_KIND_GET) | WV_KIND_BIT(WEFT_KIND_SET) |           \
	 WV_KIND_BIT(WEFT_KIND_RMW) | WV_KIND_BIT(WEFT_KIND_CALL))

#define MOST_NAMES 8

struct loader {
	struct wv_aspect *aspect;
	const struct wv_xml *xml;
	struct wv_error_list list;
};

/* One element of the language. */
struct rule {
	const char *name;
	const char *required[MOST_NAMES], *optional[MOST_NAMES]; /* attributes */
	const char *children[MOST_NAMES];
	bool text; /* its text is a body; in all others there is none */
};

static const struct rule rules[] = {
	{ .name = "aspect", .required = { "name" },
	  .children = { "include", "pointcut", "before-advice" } },
	{ .name = "include", .required = { "header" } },
	{ .name = "pointcut", .optional = { "name" },
	  .children = { "member-access", "function", "line", "instruction" } },
	{ .name = "member-access", .required = { "struct", "name" }, .optional = { "kind" } },
	{ .name = "function", .required = { "name" } },
	{ .name = "line", .required = { "file", "line" } },
	{ .name = "instruction", .required = { "symbol", "offset" } },
	{ .name = "before-advice", .optional = { "pointcut", "optional" }, .text = true },
};

static const struct rule *find_rule(const char *name)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		if (!strcmp(rules[i].name, name))
			return &rules[i];
	return NULL;
}

static size_t count_names(const char *const *names)
{
	size_t n = 0;

	while (n < MOST_NAMES && names[n])
		n++;
	return n;
}

static bool has_name(const char *const *names, const char *name)
{
	for (size_t i = 0; i < count_names(names); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

static const struct wv_xml_attribute *find_attribute(const struct wv_xml_node *node, const char *name)
{
	wv_vec_for_each(attribute, &node->attributes)
		if (!strcmp(attribute->name, name))
			return attribute;
	return NULL;
}

/* ---- the tree against the table -------------------------------------------------------------- */

/* "unknown THING 'NAME' in <parent>; did you mean X?", or the list of what there may be. */
static void complain_unknown(struct loader *loader, struct wv_place place, const char *thing,
			     const char *name, const char *parent, const char *const *names, size_t n)
{
	struct wv_near near = { .wanted = name };
	struct wv_str all = { 0 };
	char text[512];

	for (size_t i = 0; i < n; i++) {
		wv_near_offer(&near, names[i]);
		wv_str_addf(&all, "%s%s", i ? ", " : "; it may have ", names[i]);
	}
	wv_near_text(&near, text, sizeof(text));
	wv_complain(&loader->list, place, "unknown %s '%s' in <%s>%s", thing, name, parent,
		    *text ? text : all.data ? all.data : ", which has none");
	wv_str_deinit(&all);
}

static void check_attributes(struct loader *loader, const struct wv_xml_node *node,
			     const struct rule *rule)
{
	const char *names[2 * MOST_NAMES];
	size_t n = 0;

	for (size_t i = 0; i < count_names(rule->required); i++)
		names[n++] = rule->required[i];
	for (size_t i = 0; i < count_names(rule->optional); i++)
		names[n++] = rule->optional[i];
	wv_vec_for_each(attribute, &node->attributes) {
		if (!has_name(rule->required, attribute->name) &&
		    !has_name(rule->optional, attribute->name))
			complain_unknown(loader, attribute->place, "attribute", attribute->name,
					 rule->name, names, n);
	}
	for (size_t i = 0; i < count_names(rule->required); i++)
		if (!find_attribute(node, rule->required[i]))
			wv_complain(&loader->list, node->place, "<%s> needs the attribute '%s'",
				    rule->name, rule->required[i]);
}

static void check_text(struct loader *loader, const struct wv_xml_node *node, const struct rule *rule)
{
	struct wv_xml_text text;
	struct wv_error error;
	size_t blanks;

	if (rule->text)
		return;
	if (wv_xml_text(loader->xml, node, &text, &error)) {
		wv_complain(&loader->list, (struct wv_place){ error.line, error.column }, "%s",
			    error.message);
		return;
	}
	blanks = strspn(text.bytes.data, " \t\n");
	if (text.bytes.data[blanks])
		wv_complain(&loader->list, wv_xml_text_place(&text, blanks),
			    "text does not belong into <%s>", rule->name);
	wv_xml_text_deinit(&text);
}

static void check_node(struct loader *loader, const struct wv_xml_node *node, const struct rule *rule)
{
	check_attributes(loader, node, rule);
	check_text(loader, node, rule);
	wv_vec_for_each(child, &node->children) {
		const char *name = (*child)->name;

		if (has_name(rule->children, name))
			check_node(loader, *child, find_rule(name));
		else if (rule->text)
			wv_complain(&loader->list, (*child)->place,
				    "an element <%s> in a body (C's < is written &lt;, or the body is put into <![CDATA[ ]]>)",
				    name);
		else
			complain_unknown(loader, (*child)->place, "element", name, rule->name,
					 rule->children, count_names(rule->children));
	}
}

/* ---- values ---------------------------------------------------------------------------------- */

static bool is_identifier(const char *text, const char *also)
{
	if (!isalpha((unsigned char)*text) && *text != '_')
		return false;
	for (; *text; text++)
		if (!isalnum((unsigned char)*text) && *text != '_' && !strchr(also, *text))
			return false;
	return true;
}

/*
 * A copy of the attribute's value if it is a C name; an absent attribute was complained of before.
 */
static char *identifier(struct loader *loader, const struct wv_xml_node *node, const char *name,
			const char *also)
{
	const struct wv_xml_attribute *attribute = find_attribute(node, name);
	char *copy;

	if (!attribute)
		return NULL;
	if (!is_identifier(attribute->value, also)) {
		bool keyword = !strncmp(attribute->value, "struct ", 7) ||
			       !strncmp(attribute->value, "union ", 6);

		wv_complain(&loader->list, attribute->value_place, "'%s' is not a name%s",
			    attribute->value, keyword ? "; write the tag alone" : "");
	}
	copy = strdup(attribute->value);
	loader->list.no_memory |= !copy;
	return copy;
}

static uint64_t number(struct loader *loader, const struct wv_xml_node *node, const char *name,
		       uint64_t least, uint64_t most)
{
	const struct wv_xml_attribute *attribute = find_attribute(node, name);
	unsigned long long value;
	char *end;

	if (!attribute)
		return 0;
	errno = 0;
	value = strtoull(attribute->value, &end, 0);
	if (!isdigit((unsigned char)*attribute->value) || *end)
		wv_complain(&loader->list, attribute->value_place, "'%s' is not a number",
			    attribute->value);
	else if (errno || value < least || value > most)
		wv_complain(&loader->list, attribute->value_place, "%s is out of range",
			    attribute->value);
	return value;
}

/* ---- the elements ---------------------------------------------------------------------------- */

static void load_name(struct loader *loader, const struct wv_xml_node *node)
{
	const struct wv_xml_attribute *attribute = find_attribute(node, "name");
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
		wv_complain(&loader->list, attribute->value_place,
			    "an aspect's name has at most %d characters, this one has %zu",
			    WEFT_NAME_MAX - 1, strlen(name));
	} else if (!strcmp(name, "weft")) {
		wv_complain(&loader->list, attribute->value_place,
			    "the module of weft itself has the name 'weft'");
	} else if (!is_identifier(name, "")) {
		char *hint = strdup(*name ? name : "my_aspect");

		for (char *c = hint; c && *c; c++)
			if (!isalnum((unsigned char)*c) || (c == hint && isdigit((unsigned char)*c)))
				*c = '_';
		wv_complain(&loader->list, attribute->value_place,
			    "an aspect's name is made of letters, digits and _, since it is the module's too: '%s' could be '%s'",
			    name, hint ? hint : "");
		free(hint);
	}
}

static void load_include(struct loader *loader, const struct wv_xml_node *node)
{
	const struct wv_xml_attribute *attribute = find_attribute(node, "header");
	struct wv_aspect_include *include;

	if (!attribute)
		return;
	if (!*attribute->value || strpbrk(attribute->value, "<>\"\\"))
		wv_complain(&loader->list, attribute->value_place,
			    "'%s' is not a header; write it as between the brackets of #include, for example linux/skbuff.h",
			    attribute->value);
	include = wv_vec_push(&loader->aspect->includes);
	if (include) {
		include->place = attribute->value_place;
		include->header = strdup(attribute->value);
	}
	loader->list.no_memory |= !include || !include->header;
}

static void load_kinds(struct loader *loader, const struct wv_xml_node *node, uint32_t *ret)
{
	const struct wv_xml_attribute *attribute = find_attribute(node, "kind");
	struct wv_error error;

	*ret = KINDS_DEFAULT;
	if (attribute && wv_kinds_parse(attribute->value, ret, &error))
		wv_complain(&loader->list, attribute->value_place, "%s", error.message);
}

static void load_picked(struct loader *loader, const struct wv_xml_node *node, struct wv_pointcut *ret)
{
	if (!strcmp(node->name, "member-access")) {
		ret->type = WV_POINTCUT_MEMBER;
		ret->structure = identifier(loader, node, "struct", "");
		ret->member = identifier(loader, node, "name", ".");
		load_kinds(loader, node, &ret->kinds);
	} else if (!strcmp(node->name, "function")) {
		ret->type = WV_POINTCUT_ENTRY;
		ret->symbol = identifier(loader, node, "name", ".");
	} else if (!strcmp(node->name, "line")) {
		const struct wv_xml_attribute *file = find_attribute(node, "file");

		ret->type = WV_POINTCUT_LINE;
		ret->line = number(loader, node, "line", 1, INT_MAX);
		if (file && !*file->value)
			wv_complain(&loader->list, file->value_place, "no file is named");
		ret->file = file ? strdup(file->value) : NULL;
		loader->list.no_memory |= file && !ret->file;
	} else {
		ret->type = WV_POINTCUT_INSTRUCTION;
		ret->symbol = identifier(loader, node, "symbol", ".");
		ret->offset = number(loader, node, "offset", 0, UINT32_MAX);
	}
}

static void load_pointcut(struct loader *loader, const struct wv_xml_node *node)
{
	const struct wv_xml_attribute *name = find_attribute(node, "name");
	struct wv_aspect_pointcut *pointcut;

	if (name) {
		wv_vec_for_each(other, &loader->aspect->pointcuts)
			if (other->name && !strcmp(other->name, name->value))
				wv_complain(&loader->list, name->value_place,
					    "there is a pointcut '%s' already", name->value);
	}
	if (node->children.n != 1) {
		wv_complain(&loader->list,
			    node->children.n ? node->children.data[1]->place : node->place,
			    "a <pointcut> holds exactly one of <member-access>, <function>, <line>, <instruction>");
		if (!node->children.n)
			return;
	}
	pointcut = wv_vec_push(&loader->aspect->pointcuts);
	if (!pointcut) {
		loader->list.no_memory = true;
		return;
	}
	pointcut->place = node->children.data[0]->place;
	if (name)
		pointcut->name = identifier(loader, node, "name", "-");
	if (has_name(find_rule("pointcut")->children, node->children.data[0]->name))
		load_picked(loader, node->children.data[0], &pointcut->pointcut);
}

static bool load_optional(struct loader *loader, const struct wv_xml_node *node)
{
	const struct wv_xml_attribute *optional = find_attribute(node, "optional");

	if (!optional || !strcmp(optional->value, "no"))
		return false;
	if (strcmp(optional->value, "yes"))
		wv_complain(&loader->list, optional->value_place, "optional is \"yes\" or \"no\"");
	return true;
}

static void load_advice(struct loader *loader, const struct wv_xml_node *node)
{
	struct wv_aspect_advice *advice = wv_vec_push(&loader->aspect->advices);
	struct wv_error error;

	if (!advice) {
		loader->list.no_memory = true;
		return;
	}
	advice->place = node->place;
	advice->optional = load_optional(loader, node);
	if (wv_xml_text(loader->xml, node, &advice->body, &error)) {
		wv_complain(&loader->list, (struct wv_place){ error.line, error.column }, "%s",
			    error.message);
		return;
	}
	wv_body_check(advice, &loader->list);
}

/* ---- advice to pointcut ---------------------------------------------------------------------- */

static void bind_by_name(struct loader *loader, const struct wv_xml_attribute *wanted,
			 struct wv_aspect_advice *advice)
{
	struct wv_near near = { .wanted = wanted->value };
	char text[512];

	wv_vec_for_each(pointcut, &loader->aspect->pointcuts) {
		if (!pointcut->name)
			continue;
		if (!strcmp(pointcut->name, wanted->value)) {
			advice->pointcut = pointcut - loader->aspect->pointcuts.data;
			return;
		}
		wv_near_offer(&near, pointcut->name);
	}
	wv_complain(&loader->list, wanted->value_place, "there is no pointcut '%s'%s",
		    wanted->value, wv_near_text(&near, text, sizeof(text)));
}

/* $target and $arg1 of a load or store would be whatever the registers happen to hold. */
static void check_scope(struct loader *loader, const struct wv_aspect_advice *advice)
{
	const struct wv_pointcut *pointcut = &loader->aspect->pointcuts.data[advice->pointcut].pointcut;

	if (pointcut->type != WV_POINTCUT_MEMBER ||
	    (pointcut->kinds & WV_KIND_BIT(WEFT_KIND_CALL)))
		return;
	for (size_t i = 0; i < wv_nr_variables; i++) {
		const struct wv_xml_text *body = &advice->body;

		if (!(advice->variables & WV_VARIABLE_BIT(i)) || wv_variables[i].scope != WV_SCOPE_CALL)
			continue;
		wv_complain(&loader->list,
			    wv_xml_text_place(body, wv_token_find_name(body->bytes.data, body->bytes.n,
								       wv_variables[i].name)),
			    "%s means something at a call or a function's entry only; this advice's pointcut picks neither",
			    wv_variables[i].name);
	}
}

static void bind(struct loader *loader, const struct wv_xml_node *node, struct wv_aspect_advice *advice)
{
	const struct wv_xml_attribute *wanted = find_attribute(node, "pointcut");

	if (wanted)
		bind_by_name(loader, wanted, advice);
	else if (loader->aspect->pointcuts.n > 1)
		wv_complain(&loader->list, node->place,
			    "which pointcut is this advice for? There are %zu; say pointcut=\"NAME\"",
			    loader->aspect->pointcuts.n);
	check_scope(loader, advice);
}

static void load_aspect(struct loader *loader, const struct wv_xml_node *root)
{
	struct wv_aspect *aspect = loader->aspect;
	size_t advice = 0;

	aspect->place = root->place;
	load_name(loader, root);
	wv_vec_for_each(child, &root->children) {
		if (!strcmp((*child)->name, "include"))
			load_include(loader, *child);
		else if (!strcmp((*child)->name, "pointcut"))
			load_pointcut(loader, *child);
		else if (!strcmp((*child)->name, "before-advice"))
			load_advice(loader, *child);
	}
	if (!aspect->pointcuts.n) {
		if (!loader->list.errors.list.n)
			wv_complain(&loader->list, root->place,
				    "an aspect needs at least one <pointcut>");
		return;
	}
	wv_vec_for_each(pointcut, &aspect->pointcuts)
		if (!pointcut->name && aspect->pointcuts.n > 1)
			wv_complain(&loader->list, pointcut->place,
				    "where there are several pointcuts, each needs a name");
	if (loader->list.errors.list.n || loader->list.no_memory)
		return; /* what binds to a broken pointcut cannot be judged */
	wv_vec_for_each(child, &root->children)
		if (!strcmp((*child)->name, "before-advice"))
			bind(loader, *child, &aspect->advices.data[advice++]);
}

int wv_aspect_load_all(const char *path, struct wv_aspect **ret, struct wv_errors *errors,
		       struct wv_error *error)
{
	struct loader loader = { .list.path = path };
	struct wv_xml *xml;
	int failed;

	failed = wv_xml_read(path, &xml, error);
	if (failed) {
		struct wv_error *only = errors ? wv_vec_push(&errors->list) : NULL;

		if (only)
			*only = *error;
		return failed;
	}
	loader.xml = xml;
	loader.aspect = calloc(1, sizeof(*loader.aspect));
	if (loader.aspect)
		loader.aspect->path = strdup(path);
	if (!loader.aspect || !loader.aspect->path) {
		loader.list.no_memory = true;
	} else if (strcmp(xml->root->name, "aspect")) {
		wv_complain(&loader.list, xml->root->place,
			    "the outermost element is <%s>; an aspect's is <aspect>", xml->root->name);
	} else {
		check_node(&loader, xml->root, find_rule("aspect"));
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
		wv_pointcut_deinit(&pointcut->pointcut);
	}
	wv_vec_for_each(advice, &aspect->advices) {
		wv_xml_text_deinit(&advice->body);
		wv_vec_for_each(named, &advice->named)
			free(named->name);
		wv_vec_deinit(&advice->named);
	}
	wv_vec_deinit(&aspect->includes);
	wv_vec_deinit(&aspect->pointcuts);
	wv_vec_deinit(&aspect->advices);
	wv_xml_destroy(aspect->xml);
	free(aspect->path);
	free(aspect->name);
	free(aspect);
}
