// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What stands inside a <pointcut>: the elements that pick and those that filter, as a tree. Names of
 * functions and members may be patterns, so values are read here as well.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "aspect/language/load-pick.h"
#include "aspect/language/rules.h"
#include "runtime/joinpoint-table.h"
#include "base/suggest.h"

/* KLAS's meaning of a member access: every execution that reads, writes or calls through it. */
#define KINDS_DEFAULT                                                        \
	(WV_KIND_BIT(WEFT_KIND_GET) | WV_KIND_BIT(WEFT_KIND_SET) |           \
	 WV_KIND_BIT(WEFT_KIND_RMW) | WV_KIND_BIT(WEFT_KIND_CALL))

/* ---- leaves ----------------------------------------------------------------------------------- */

static char *load_file(struct wv_loader *loader, const struct wv_xml_node *node)
{
	const struct wv_xml_attribute *file = wv_load_attribute(node, "file");

	if (file && !*file->value)
		wv_report_error(&loader->list, file->value_location, "no file is named");
	return wv_load_text(loader, node, "file");
}

static void load_kinds(struct wv_loader *loader, const struct wv_xml_node *node, uint32_t *ret)
{
	const struct wv_xml_attribute *attribute = wv_load_attribute(node, "kind");
	struct wv_error error;

	*ret = KINDS_DEFAULT;
	if (attribute && wv_kinds_parse(attribute->value, ret, &error))
		wv_report_error(&loader->list, attribute->value_location, "%s", error.message);
}

static struct wv_pick *create(struct wv_loader *loader, enum wv_pick_type type, struct wv_text_location location)
{
	struct wv_pick *pick = calloc(1, sizeof(*pick));

	if (!pick) {
		loader->list.no_memory = true;
		return NULL;
	}
	pick->type = type;
	pick->location = location;
	return pick;
}

/* A part of @parent, which may be NULL when memory was out before. */
static struct wv_pick *add_part(struct wv_loader *loader, struct wv_pick *parent, struct wv_pick *part)
{
	struct wv_pick **slot = parent && part ? wv_vec_push(&parent->parts) : NULL;

	if (!slot) {
		loader->list.no_memory |= parent && part;
		wv_pick_destroy(part);
		return NULL;
	}
	*slot = part;
	return part;
}

/* A leaf of one of the types that name a symbol, inside @parent. */
static void add_leaf(struct wv_loader *loader, struct wv_pick *parent, const struct wv_xml_node *node,
		     const char *attribute, enum wv_pointcut_type type, bool inlined, bool only_inlined)
{
	struct wv_pick *leaf = add_part(loader, parent,
					create(loader, WV_PICK_POINTCUT, node->location));

	if (!leaf)
		return;
	leaf->pointcut.type = type;
	leaf->pointcut.inlined = inlined;
	leaf->pointcut.only_inlined = only_inlined;
	leaf->pointcut.symbol = wv_load_identifier(loader, node, attribute, WV_LETTERS_SYMBOL);
}

/* An <and> or <or> of a single part is that part. */
static struct wv_pick *only_part(struct wv_pick *parent)
{
	struct wv_pick *part;

	if (!parent || parent->parts.n != 1)
		return parent;
	part = parent->parts.data[0];
	parent->parts.n = 0;
	wv_pick_destroy(parent);
	return part;
}

enum { AT_ENTRY = 1, AT_INLINED = 2, AT_EXIT = 4 };

static unsigned int load_at(struct wv_loader *loader, const struct wv_xml_node *node)
{
	static const char *const names[] = { "entry", "inlined", "exit" };
	const struct wv_xml_attribute *attribute = wv_load_attribute(node, "at");
	const char *text = attribute ? attribute->value : names[0];
	unsigned int at = 0;
	char hint[128];

	for (;; text++) {
		size_t n = strcspn(text, "|"), i = 0;

		while (i < 3 && (strlen(names[i]) != n || strncmp(names[i], text, n)))
			i++;
		if (i == 3) {
			wv_suggestion_of(text, n, names, 3, hint, sizeof(hint));
			wv_report_error(&loader->list, attribute->value_location,
				    "unknown place '%.*s' of a function%s places are entry, exit and inlined, several with '|' between",
				    (int)n, text, *hint ? strcat(hint, " The") : "; the");
			return 0;
		}
		at |= 1u << i;
		text += n;
		if (!*text)
			return at;
	}
}

static struct wv_pick *load_function(struct wv_loader *loader, const struct wv_xml_node *node)
{
	struct wv_pick *any = create(loader, WV_PICK_OR, node->location);
	unsigned int at = load_at(loader, node);

	if (at & (AT_ENTRY | AT_INLINED))
		add_leaf(loader, any, node, "name", WV_POINTCUT_ENTRY, at & AT_INLINED, !(at & AT_ENTRY));
	if (at & AT_EXIT)
		add_leaf(loader, any, node, "name", WV_POINTCUT_EXIT, false, false);
	return only_part(any);
}

/* Calls of one function, calls that one makes, or those that are both. */
static struct wv_pick *load_call(struct wv_loader *loader, const struct wv_xml_node *node)
{
	struct wv_pick *all = create(loader, WV_PICK_AND, node->location);

	if (wv_load_attribute(node, "function"))
		add_leaf(loader, all, node, "function", WV_POINTCUT_CALLERS, false, false);
	if (wv_load_attribute(node, "from"))
		add_leaf(loader, all, node, "from", WV_POINTCUT_CALLS, false, false);
	if (all && !all->parts.n)
		wv_report_error(&loader->list, node->location,
			    "<call> needs 'function' (calls of it), 'from' (calls that it makes) or both");
	return only_part(all);
}

static void load_leaf(struct wv_loader *loader, const struct wv_xml_node *node, struct wv_pick *pick)
{
	struct wv_pointcut *ret = &pick->pointcut;

	if (!strcmp(node->name, "member-access")) {
		ret->type = WV_POINTCUT_MEMBER;
		ret->structure = wv_load_identifier(loader, node, "struct", WV_LETTERS_PATTERN);
		ret->member = wv_load_identifier(loader, node, "name", WV_LETTERS_SYMBOL);
		load_kinds(loader, node, &ret->kinds);
	} else if (!strcmp(node->name, "line")) {
		ret->type = WV_POINTCUT_LINE;
		ret->line = wv_load_number(loader, node, "line", 1, INT_MAX);
		ret->file = load_file(loader, node);
	} else if (!strcmp(node->name, "block")) {
		ret->type = WV_POINTCUT_BLOCK;
		ret->symbol = wv_load_identifier(loader, node, "function", WV_LETTERS_SYMBOL);
	} else {
		ret->type = WV_POINTCUT_INSTRUCTION;
		ret->symbol = wv_load_identifier(loader, node, "symbol", ".");
		ret->offset = wv_load_number(loader, node, "offset", 0, UINT32_MAX);
	}
}

static void load_within(struct wv_loader *loader, const struct wv_xml_node *node, struct wv_pick *pick)
{
	static const char *const parts[] = {
		[WV_WITHIN_FUNCTION] = "function", [WV_WITHIN_FILE] = "file", [WV_WITHIN_MODULE] = "module",
	};

	pick->within.function = wv_load_identifier(loader, node, "function", WV_LETTERS_SYMBOL);
	pick->within.file = load_file(loader, node);
	pick->within.module = wv_load_identifier(loader, node, "module", "-" WV_LETTERS_PATTERN);
	for (enum wv_within_part part = 0; part < WV_WITHIN_PARTS; part++) {
		const struct wv_xml_attribute *attribute = wv_load_attribute(node, parts[part]);

		pick->within_places[part] = attribute ? attribute->value_location : node->location;
	}
	if (!node->attributes.n)
		wv_report_error(&loader->list, node->location,
			    "<within> needs at least one of 'function', 'file' and 'module'");
}

/* ---- the tree -------------------------------------------------------------------------------- */

static struct wv_pick *load_combined(struct wv_loader *loader, const struct wv_xml_node *node,
				     enum wv_pick_type type)
{
	struct wv_pick *pick = create(loader, type, node->location);
	size_t least = type == WV_PICK_NOT ? 1 : 2;

	wv_vec_for_each(child, &node->children) {
		struct wv_pick *part = wv_load_pick(loader, *child);

		if (part)
			add_part(loader, pick, part);
	}
	if (type == WV_PICK_NOT && node->children.n > 1)
		wv_report_error(&loader->list, node->children.data[1]->location,
			    "a <not> holds one element; put several into <or> or <and>");
	else if (node->children.n < least)
		wv_report_error(&loader->list, node->location, "<%s> needs %s", node->name,
			    least == 1 ? "an element" : "two elements or more");
	return pick;
}

/* What picks and filters has no part in these: they are asked at each hit. */
static bool is_flow(const struct wv_xml_node *node)
{
	return !strcmp(node->name, "cflow") ||
	       (!strcmp(node->name, "not") && node->children.n == 1 && is_flow(node->children.data[0]));
}

struct wv_pick *wv_load_pick(struct wv_loader *loader, const struct wv_xml_node *node)
{
	static const struct {
		const char *name;
		enum wv_pick_type type;
	} combined[] = { { "and", WV_PICK_AND }, { "or", WV_PICK_OR }, { "not", WV_PICK_NOT } };
	const struct wv_xml_attribute *ref;
	struct wv_pick *pick;

	if (is_flow(node))
		return NULL;
	for (size_t i = 0; i < sizeof(combined) / sizeof(*combined); i++)
		if (!strcmp(node->name, combined[i].name))
			return load_combined(loader, node, combined[i].type);
	if (!strcmp(node->name, "function"))
		return load_function(loader, node);
	if (!strcmp(node->name, "call"))
		return load_call(loader, node);
	if (!wv_rule_has(wv_rule_find("and")->children, node->name))
		return NULL;
	pick = create(loader, WV_PICK_POINTCUT, node->location);
	if (!pick)
		return NULL;
	ref = wv_load_attribute(node, "pointcut");
	if (!strcmp(node->name, "ref")) {
		pick->type = WV_PICK_REF;
		pick->name = wv_load_text(loader, node, "pointcut");
		pick->name_place = ref ? ref->value_location : node->location;
	} else if (!strcmp(node->name, "within")) {
		pick->type = WV_PICK_WITHIN;
		load_within(loader, node, pick);
	} else {
		load_leaf(loader, node, pick);
	}
	return pick;
}
