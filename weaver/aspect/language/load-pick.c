// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Loads the content of a <pointcut> as a tree of elements that pick joinpoints and elements that
 * filter them. Names are parsed here, not by the parser for the command line, because here they may
 * be patterns.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aspect/language/load-pick.h"
#include "runtime/joinpoint-table.h"
#include "base/suggest.h"
#include "database/pointcut-kinds.h"
#include "database/within.h"

/*
 * The kinds of access that a pointcut picks without the attribute `kind`: each execution that
 * reads, writes or calls through the member. An access of a member meant the same in KLAS, an older
 * aspect language for a kernel.
 */
#define KINDS_DEFAULT                                                        \
	(WV_KIND_BIT(WEFT_KIND_GET) | WV_KIND_BIT(WEFT_KIND_SET) |           \
	 WV_KIND_BIT(WEFT_KIND_RMW) | WV_KIND_BIT(WEFT_KIND_CALL))

/* ---- loading elements without children ------------------------------------------------------- */

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

static struct wv_pick *create(struct wv_loader *loader, enum wv_pick_type type,
			      struct wv_text_location location)
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

/*
 * Adds @part to @parent, and returns @part. @parent or @part is NULL if memory ran out before. In
 * that case, or if memory runs out here, frees @part and returns NULL.
 */
static struct wv_pick *add_part(struct wv_loader *loader, struct wv_pick *parent,
				struct wv_pick *part)
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

/*
 * Adds to @parent an element of @type for the function that @attribute names. NULL: out of memory.
 */
static struct wv_pick *add_leaf(struct wv_loader *loader, struct wv_pick *parent,
				const struct wv_xml_node *node, const char *attribute,
				enum wv_pointcut_type type)
{
	struct wv_pick *leaf = add_part(loader, parent,
					create(loader, WV_PICK_POINTCUT, node->location));

	if (!leaf)
		return NULL;
	leaf->pointcut.type = type;
	leaf->pointcut.symbol = wv_load_identifier(loader, node, attribute, WV_LETTERS_SYMBOL);
	return leaf;
}

/* If the <and> or <or> has only one part, frees it and returns the part. Else returns @parent. */
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

static void report_part(struct wv_loader *loader, struct wv_text_location location,
			const char *name, int n)
{
	_cleanup_str_ struct wv_str all = { 0 };
	const struct wv_function_part *part;
	char wanted[64], hint[128];
	struct wv_suggestion suggestion = { .wanted = wanted };

	snprintf(wanted, sizeof(wanted), "%.*s", n, name);
	for (size_t i = 0; (part = wv_function_part(i, NULL)); i++)
		if (part->in_xml)
			wv_suggestion_offer(&suggestion, part->name);
	wv_suggestion_text(&suggestion, hint, sizeof(hint));
	wv_function_parts_text(true, "", " and ", &all);
	loader->list.no_memory |= all.failed;
	if (!all.failed)
		wv_report_error(&loader->list, location,
			    "unknown place '%.*s' of a function%s%s places are %s, several with "
			    "'|' between",
			    n, name, hint, *hint ? " The" : "; the", all.data);
}

/*
 * What the attribute `at`, such as "entry|exit", says about one type of pointcut.
 * .any: a word in `at` means this type.
 * .inlined: the pointcut picks inlined instances, too.
 * .all_copies: the pointcut picks nothing but inlined instances.
 */
struct at {
	bool any, all_copies, inlined;
};

static bool load_at(struct wv_loader *loader, const struct wv_xml_node *node,
		    struct at at[WV_POINTCUT_TYPES])
{
	const struct wv_xml_attribute *attribute = wv_load_attribute(node, "at");
	const char *text = attribute ? attribute->value : "entry";

	for (;; text++) {
		size_t n = strcspn(text, "|");
		enum wv_pointcut_type type;
		const struct wv_function_part *part = wv_function_part_find(text, n, &type);

		if (!part || !part->in_xml) {
			report_part(loader, attribute->value_location, text, n);
			return false;
		}
		at[type].all_copies = part->only_inlined && (!at[type].any || at[type].all_copies);
		at[type].inlined |= part->inlined;
		at[type].any = true;
		text += n;
		if (!*text)
			return true;
	}
}

static struct wv_pick *load_function(struct wv_loader *loader, const struct wv_xml_node *node)
{
	struct wv_pick *any = create(loader, WV_PICK_OR, node->location);
	struct at at[WV_POINTCUT_TYPES] = { 0 };
	struct wv_pick *leaf;

	if (!load_at(loader, node, at))
		return any;
	for (size_t type = 0; type < WV_POINTCUT_TYPES; type++) {
		leaf = at[type].any ? add_leaf(loader, any, node, "name", type) : NULL;
		if (!leaf)
			continue;
		leaf->pointcut.inlined = at[type].inlined;
		leaf->pointcut.only_inlined = at[type].all_copies;
	}
	return only_part(any);
}

/*
 * Loads a <call>: calls of one function (`function`), calls that one function makes (`from`), or
 * calls that are both.
 */
static struct wv_pick *load_call(struct wv_loader *loader, const struct wv_xml_node *node)
{
	struct wv_pick *all = create(loader, WV_PICK_AND, node->location);

	if (wv_load_attribute(node, "function"))
		add_leaf(loader, all, node, "function", WV_POINTCUT_CALLERS);
	if (wv_load_attribute(node, "from"))
		add_leaf(loader, all, node, "from", WV_POINTCUT_CALLS);
	if (all && !all->parts.n)
		wv_report_error(&loader->list, node->location,
				"<call> needs 'function' (calls of it), 'from' (calls that it "
				"makes) or both");
	return only_part(all);
}

static void load_member(struct wv_loader *loader, const struct wv_xml_node *node,
			struct wv_pointcut *ret)
{
	const struct wv_xml_attribute *structure = wv_load_attribute(node, "struct");
	const struct wv_xml_attribute *precision = wv_load_attribute(node, "precision");

	/* "" means a struct without a name */
	if (structure && !*structure->value)
		ret->structure = wv_load_text(loader, node, "struct");
	else
		ret->structure = wv_load_identifier(loader, node, "struct", WV_LETTERS_PATTERN);
	ret->member = wv_load_identifier(loader, node, "name", WV_LETTERS_SYMBOL);
	load_kinds(loader, node, &ret->kinds);
	ret->exact = precision;
	if (precision && strcmp(precision->value, "exact"))
		wv_report_error(&loader->list, precision->value_location,
				"unknown precision '%s'; the only one that can be demanded is "
				"exact", precision->value);
}

static void load_line(struct wv_loader *loader, const struct wv_xml_node *node,
		      struct wv_pointcut *ret)
{
	ret->line = wv_load_number(loader, node, "line", 1, INT_MAX);
	ret->file = load_file(loader, node);
}

static void load_block(struct wv_loader *loader, const struct wv_xml_node *node,
		       struct wv_pointcut *ret)
{
	ret->symbol = wv_load_identifier(loader, node, "function", WV_LETTERS_SYMBOL);
}

static void load_instruction(struct wv_loader *loader, const struct wv_xml_node *node,
			     struct wv_pointcut *ret)
{
	ret->symbol = wv_load_identifier(loader, node, "symbol", ".");
	ret->offset = wv_load_number(loader, node, "offset", 0, UINT32_MAX);
}

static void load_tracepoint(struct wv_loader *loader, const struct wv_xml_node *node,
			    struct wv_pointcut *ret)
{
	ret->symbol = wv_load_identifier(loader, node, "name", WV_LETTERS_PATTERN);
	ret->module = strdup(WV_VMLINUX);
	loader->list.no_memory |= !ret->module;
}

/* Elements without children. Each is one query of the database. */
static const struct leaf {
	const char *element;
	enum wv_pointcut_type type;
	void (*load)(struct wv_loader *loader, const struct wv_xml_node *node,
		     struct wv_pointcut *ret);
} leaves[] = {
	{ "member-access", WV_POINTCUT_MEMBER, load_member },
	{ "line", WV_POINTCUT_LINE, load_line },
	{ "block", WV_POINTCUT_BLOCK, load_block },
	{ "instruction", WV_POINTCUT_INSTRUCTION, load_instruction },
	{ "tracepoint", WV_POINTCUT_TRACEPOINT, load_tracepoint },
};

static struct wv_pick *load_leaf(struct wv_loader *loader, const struct wv_xml_node *node)
{
	for (size_t i = 0; i < sizeof(leaves) / sizeof(*leaves); i++) {
		struct wv_pick *pick;

		if (strcmp(node->name, leaves[i].element))
			continue;
		pick = create(loader, WV_PICK_POINTCUT, node->location);
		if (!pick)
			return NULL;
		pick->pointcut.type = leaves[i].type;
		leaves[i].load(loader, node, &pick->pointcut);
		return pick;
	}
	return NULL;
}

static struct wv_pick *load_within(struct wv_loader *loader, const struct wv_xml_node *node)
{
	static const char *const parts[] = {
		[WV_WITHIN_FUNCTION] = "function",
		[WV_WITHIN_FILE] = "file",
		[WV_WITHIN_MODULE] = "module",
	};
	struct wv_pick *pick = create(loader, WV_PICK_WITHIN, node->location);

	if (!pick)
		return NULL;
	pick->within.function = wv_load_identifier(loader, node, "function", WV_LETTERS_SYMBOL);
	pick->within.file = load_file(loader, node);
	pick->within.module = wv_load_identifier(loader, node, "module", "-" WV_LETTERS_PATTERN);
	for (enum wv_within_part part = 0; part < WV_WITHIN_PARTS; part++) {
		const struct wv_xml_attribute *attribute = wv_load_attribute(node, parts[part]);

		pick->within_locations[part] =
			attribute ? attribute->value_location : node->location;
	}
	if (!node->attributes.n)
		wv_report_error(&loader->list, node->location,
			    "<within> needs at least one of 'function', 'file' and 'module'");
	return pick;
}

static struct wv_pick *load_ref(struct wv_loader *loader, const struct wv_xml_node *node)
{
	const struct wv_xml_attribute *ref = wv_load_attribute(node, "pointcut");
	struct wv_pick *pick = create(loader, WV_PICK_REF, node->location);

	if (!pick)
		return NULL;
	pick->name = wv_load_text(loader, node, "pointcut");
	pick->name_location = ref ? ref->value_location : node->location;
	return pick;
}

/* ---- loading elements with children ---------------------------------------------------------- */

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

/*
 * Returns whether the element is a <cflow> or <xflow>, or one of them in a <not>. These are not
 * parts of the tree, because they are checked at each hit, and neither pick nor filter joinpoints.
 */
static bool is_flow(const struct wv_xml_node *node)
{
	return !strcmp(node->name, "cflow") || !strcmp(node->name, "xflow") ||
	       (!strcmp(node->name, "not") && node->children.n == 1 &&
		is_flow(node->children.data[0]));
}

static struct wv_pick *load_and(struct wv_loader *loader, const struct wv_xml_node *node)
{
	return load_combined(loader, node, WV_PICK_AND);
}

static struct wv_pick *load_or(struct wv_loader *loader, const struct wv_xml_node *node)
{
	return load_combined(loader, node, WV_PICK_OR);
}

static struct wv_pick *load_not(struct wv_loader *loader, const struct wv_xml_node *node)
{
	return load_combined(loader, node, WV_PICK_NOT);
}

static struct wv_pick *load_element(struct wv_loader *loader, const struct wv_xml_node *node)
{
	static const struct {
		const char *element;
		struct wv_pick *(*load)(struct wv_loader *loader, const struct wv_xml_node *node);
	} elements[] = {
		{ "and", load_and },	       { "or", load_or },
		{ "not", load_not },	       { "ref", load_ref },
		{ "within", load_within },     { "call", load_call },
		{ "function", load_function },
	};

	if (is_flow(node))
		return NULL;
	for (size_t i = 0; i < sizeof(elements) / sizeof(*elements); i++)
		if (!strcmp(node->name, elements[i].element))
			return elements[i].load(loader, node);
	return load_leaf(loader, node);
}

struct wv_pick *wv_load_pick(struct wv_loader *loader, const struct wv_xml_node *node)
{
	const struct wv_xml_attribute *kernel = wv_load_attribute(node, "kernel");
	struct wv_pick *pick = load_element(loader, node);
	struct wv_error error;

	if (pick && kernel && wv_linux_range_parse(kernel->value, &pick->kernels, &error))
		wv_report_error(&loader->list, kernel->value_location, "%s", error.message);
	return pick;
}
