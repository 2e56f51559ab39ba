// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What stands inside a <pointcut>: the elements that pick and those that filter, as a tree. Names of
 * functions and members may be patterns, so values are read here as well.
 */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "aspect/language/load-internal.h"
#include "aspect/language/pick.h"
#include "aspect/language/rules.h"
#include "runtime/joinpoint-table.h"
#include "database/file-name.h"
#include "base/suggest.h"

/* KLAS's meaning of a member access: every execution that reads, writes or calls through it. */
#define KINDS_DEFAULT                                                        \
	(WV_KIND_BIT(WEFT_KIND_GET) | WV_KIND_BIT(WEFT_KIND_SET) |           \
	 WV_KIND_BIT(WEFT_KIND_RMW) | WV_KIND_BIT(WEFT_KIND_CALL))

#define WILDCARDS "*?"
#define OF_SYMBOL "." WILDCARDS /* compilers add suffixes with dots */

/* ---- values ---------------------------------------------------------------------------------- */

bool wv_load_is_identifier(const char *text, const char *also)
{
	if (!isalpha((unsigned char)*text) && *text != '_' && (!*text || !strchr(also, *text)))
		return false;
	for (; *text; text++)
		if (!isalnum((unsigned char)*text) && *text != '_' && !strchr(also, *text))
			return false;
	return true;
}

/*
 * A copy of the attribute's value if it is a C name; an absent attribute was complained of before.
 */
char *wv_load_identifier(struct wv_loader *loader, const struct wv_xml_node *node,
			 const char *name, const char *also)
{
	const struct wv_xml_attribute *attribute = wv_load_attribute(node, name);
	char *copy;

	if (!attribute)
		return NULL;
	if (!wv_load_is_identifier(attribute->value, also)) {
		bool keyword = !strncmp(attribute->value, "struct ", 7) ||
			       !strncmp(attribute->value, "union ", 6);
		bool pattern = wv_load_is_identifier(attribute->value, OF_SYMBOL);

		wv_report_error(&loader->list, attribute->value_location, "'%s' is not a name%s", attribute->value,
			    keyword ? "; write the tag alone" : pattern && wv_is_pattern(attribute->value) ?
			    "; one name is wanted here, and no pattern" : "");
	}
	copy = strdup(attribute->value);
	loader->list.no_memory |= !copy;
	return copy;
}

uint64_t wv_load_number(struct wv_loader *loader, const struct wv_xml_node *node, const char *name,
		       uint64_t least, uint64_t most)
{
	const struct wv_xml_attribute *attribute = wv_load_attribute(node, name);
	unsigned long long value;
	char *end;

	if (!attribute)
		return 0;
	errno = 0;
	value = strtoull(attribute->value, &end, 0);
	if (!isdigit((unsigned char)*attribute->value) || *end)
		wv_report_error(&loader->list, attribute->value_location, "'%s' is not a number",
			    attribute->value);
	else if (errno || value < least || value > most)
		wv_report_error(&loader->list, attribute->value_location, "%s is out of range: %llu to %llu",
			    attribute->value, (unsigned long long)least, (unsigned long long)most);
	return value;
}

uint32_t wv_load_bits_for(uint64_t n)
{
	uint32_t bits = 1;

	/* Also of what was complained of as out of range. */
	while (bits < 63 && UINT64_C(1) << bits < n)
		bits++;
	return bits;
}

/* ---- leaves ----------------------------------------------------------------------------------- */

char *wv_load_text(struct wv_loader *loader, const struct wv_xml_node *node, const char *name)
{
	const struct wv_xml_attribute *attribute = wv_load_attribute(node, name);
	char *copy = attribute ? strdup(attribute->value) : NULL;

	loader->list.no_memory |= attribute && !copy;
	return copy;
}

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
	leaf->pointcut.symbol = wv_load_identifier(loader, node, attribute, OF_SYMBOL);
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
		ret->structure = wv_load_identifier(loader, node, "struct", WILDCARDS);
		ret->member = wv_load_identifier(loader, node, "name", OF_SYMBOL);
		load_kinds(loader, node, &ret->kinds);
	} else if (!strcmp(node->name, "line")) {
		ret->type = WV_POINTCUT_LINE;
		ret->line = wv_load_number(loader, node, "line", 1, INT_MAX);
		ret->file = load_file(loader, node);
	} else if (!strcmp(node->name, "block")) {
		ret->type = WV_POINTCUT_BLOCK;
		ret->symbol = wv_load_identifier(loader, node, "function", OF_SYMBOL);
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

	pick->within.function = wv_load_identifier(loader, node, "function", OF_SYMBOL);
	pick->within.file = load_file(loader, node);
	pick->within.module = wv_load_identifier(loader, node, "module", "-" WILDCARDS);
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

/* ---- the whole ------------------------------------------------------------------------------- */

static bool find_pointcut(struct wv_loader *loader, const char *name, size_t *ret)
{
	wv_vec_for_each(pointcut, &loader->aspect->pointcuts) {
		if (!pointcut->name || strcmp(pointcut->name, name))
			continue;
		*ret = pointcut - loader->aspect->pointcuts.data;
		return true;
	}
	return false;
}

bool wv_load_find(struct wv_loader *loader, const char *name, struct wv_text_location location, size_t *ret)
{
	struct wv_suggestion suggestion = { .wanted = name };
	char text[512];

	if (find_pointcut(loader, name, ret))
		return true;
	wv_vec_for_each(pointcut, &loader->aspect->pointcuts)
		if (pointcut->name)
			wv_suggestion_offer(&suggestion, pointcut->name);
	wv_report_error(&loader->list, location, "there is no pointcut '%s'%s", name,
		    wv_suggestion_text(&suggestion, text, sizeof(text)));
	return false;
}

static void refer(struct wv_loader *loader, const struct wv_pick *pick)
{
	struct wv_aspect_pointcut *meant = &loader->aspect->pointcuts.data[pick->index];

	meant->referred = true;
	if (meant->flows.n)
		wv_report_error(&loader->list, pick->name_place,
			    "pointcut '%s' has a <cflow>, which a <ref> does not take along: name a pointcut without it, and put the <cflow> beside the <ref>",
			    pick->name);
}

/* References to their pointcuts. Where @must_pick, saying where joinpoints may be is not enough. */
static void resolve(struct wv_loader *loader, struct wv_pick *pick, bool must_pick)
{
	bool is_or = pick->type == WV_PICK_OR;

	if (pick->type == WV_PICK_REF && pick->name &&
	    wv_load_find(loader, pick->name, pick->name_place, &pick->index))
		refer(loader, pick);
	if (must_pick && pick->type == WV_PICK_WITHIN)
		wv_report_error(&loader->list, pick->location,
			    "<within> picks nothing by itself: it stands in an <and>, beside what does");
	if (must_pick && pick->type == WV_PICK_AND && pick->parts.n && !wv_pick_picks(pick))
		wv_report_error(&loader->list, pick->location,
			    "nothing in this <and> picks joinpoints: <within> and <not> only narrow what another element of it picks");
	wv_vec_for_each(part, &pick->parts)
		resolve(loader, *part, must_pick && is_or);
}

static void follow(struct wv_loader *loader, struct wv_aspect_pointcut *pointcut);

static unsigned int leaf_may_pick(const struct wv_pointcut *pointcut)
{
	if (pointcut->type == WV_POINTCUT_MEMBER)
		return pointcut->kinds & WV_KIND_BIT(WEFT_KIND_CALL) ? WV_MAY_CALL : 0;
	if (pointcut->type == WV_POINTCUT_EXIT)
		return WV_MAY_EXIT;
	return pointcut->only_inlined ? 0 : WV_MAY_CALL;
}

/* Follows the references in @pick; WV_MAY_*. */
static unsigned int may_pick(struct wv_loader *loader, const struct wv_pick *pick)
{
	struct wv_aspect_pointcut *meant;
	unsigned int any = 0;

	switch (pick->type) {
	case WV_PICK_POINTCUT:
		return leaf_may_pick(&pick->pointcut);
	case WV_PICK_REF:
		meant = &loader->aspect->pointcuts.data[pick->index];
		if (meant->state == WV_REF_OPEN)
			wv_report_error(&loader->list, pick->location,
				    "pointcut '%s' is made of itself: this <ref> leads back to it",
				    meant->name);
		follow(loader, meant);
		return meant->may_pick;
	case WV_PICK_AND:
	case WV_PICK_OR:
	case WV_PICK_NOT:
		wv_vec_for_each(part, &pick->parts)
			any |= may_pick(loader, *part);
		return pick->type == WV_PICK_NOT ? 0 : any;
	case WV_PICK_WITHIN:
		break;
	}
	return 0;
}

/* Each pointcut once, however many refer to it. */
static void follow(struct wv_loader *loader, struct wv_aspect_pointcut *pointcut)
{
	if (pointcut->state != WV_REF_NEW)
		return;
	pointcut->state = WV_REF_OPEN;
	if (pointcut->pick)
		pointcut->may_pick = may_pick(loader, pointcut->pick);
	pointcut->state = WV_REF_DONE;
}

void wv_load_resolve(struct wv_loader *loader)
{
	wv_vec_for_each(pointcut, &loader->aspect->pointcuts) {
		if (pointcut->pick && pointcut->flows.n && !pointcut->pick->parts.n)
			wv_report_error(&loader->list, pointcut->pick->location,
				    "nothing in this <and> picks joinpoints: <cflow> only narrows what another element of it picks");
		if (pointcut->pick)
			resolve(loader, pointcut->pick, pointcut->pick->type != WV_PICK_WITHIN);
	}
	if (loader->list.errors.list.n)
		return; /* a reference may lead anywhere */
	wv_vec_for_each(pointcut, &loader->aspect->pointcuts)
		follow(loader, pointcut);
}
