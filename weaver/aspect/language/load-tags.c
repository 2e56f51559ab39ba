// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Loads <tag> and <xflow>. For each tag the aspect gets two advices: one tags the objects that come
 * through the pointcut `from`, the other takes the tag from an object that is freed at the pointcut
 * `until`. An <xflow> is checked at each hit of its pointcut, as a <cflow> is (load-flows.h), and
 * does not choose joinpoints when the aspect is compiled.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/abi.h"
#include "aspect/language/advice-code.h"
#include "aspect/language/body.h"
#include "aspect/language/load-advice.h"
#include "aspect/language/load-filter.h"
#include "aspect/language/load-refs.h"
#include "aspect/language/load-tags.h"
#include "base/suggest.h"

enum {
	OBJECTS_DEFAULT = 4096,
	OBJECTS_MAX = 1 << 20,
};

/* ---- loading the elements -------------------------------------------------------------------- */

/* Loads the attribute @name, an expression in C. */
static void load_expression(struct wv_loader *loader, const struct wv_xml_node *node,
			    const char *name, struct wv_aspect_code *ret)
{
	const struct wv_xml_attribute *attribute = wv_load_attribute(node, name);

	if (!attribute || !wv_load_code(loader, attribute, ret))
		return;
	if (wv_code_is_blank(ret))
		wv_report_error(&loader->list, attribute->value_location,
				"%s is empty: it is an expression in C", name);
	else
		wv_body_check(ret, &loader->list);
}

static char *load_name(struct wv_loader *loader, const struct wv_xml_node *node)
{
	const struct wv_xml_attribute *name = wv_load_attribute(node, "name");

	wv_vec_for_each(other, &loader->aspect->tags)
		if (name && other->name && !strcmp(other->name, name->value))
			wv_report_error(&loader->list, name->value_location,
					"there is a <tag> '%s' already", name->value);
	if (loader->aspect->tags.n == WEFT_TAGS_MAX)
		wv_report_error(&loader->list, node->location,
				"an aspect has at most %d tags, and this is one more",
				WEFT_TAGS_MAX);
	return wv_load_identifier(loader, node, "name", "");
}

void wv_load_tag(struct wv_loader *loader, const struct wv_xml_node *node)
{
	char *name = load_name(loader, node);
	struct wv_aspect_tag *tag = wv_vec_push(&loader->aspect->tags);

	if (!tag) {
		loader->list.no_memory = true;
		free(name);
		return;
	}
	tag->name = name;
	tag->location = node->location;
	tag->node = node;
	tag->bits = wv_load_table_bits(loader, node, "objects", OBJECTS_DEFAULT, OBJECTS_MAX);
	tag->object_text = wv_load_text(loader, node, "object");
	tag->filter = wv_load_hit_filter(loader, node);
	load_expression(loader, node, "object", &tag->object);
	load_expression(loader, node, "until-object", &tag->until_object);
	load_expression(loader, node, "condition", &tag->condition);
}

void wv_load_tag_use(struct wv_loader *loader, const struct wv_xml_node *node, bool absent,
		     struct wv_aspect_pointcut *pointcut)
{
	const struct wv_xml_attribute *tag = wv_load_attribute(node, "tag");
	struct wv_tag_use *use = wv_vec_push(&pointcut->tagged);

	if (!use) {
		loader->list.no_memory = true;
		return;
	}
	use->absent = absent;
	use->location = tag ? tag->value_location : node->location;
	use->name = wv_load_text(loader, node, "tag");
	load_expression(loader, node, "object", &use->object);
}

/*
 * ---- <xflow>: finding its tag, and the advice that checks it -----------------------------------
 */

/* Finds the tag that @use names. Reports if there is none. */
static void find_tag(struct wv_loader *loader, struct wv_tag_use *use)
{
	struct wv_suggestion suggestion = { .wanted = use->name };
	char text[512];

	if (!use->name)
		return; /* wv_load_check() has reported the missing attribute */
	wv_vec_for_each(tag, &loader->aspect->tags) {
		use->tag = tag - loader->aspect->tags.data;
		if (!tag->name)
			continue;
		if (!strcmp(tag->name, use->name))
			return;
		wv_suggestion_offer(&suggestion, tag->name);
	}
	wv_report_error(&loader->list, use->location, "there is no <tag> '%s'%s", use->name,
			wv_suggestion_text(&suggestion, text, sizeof(text)));
}

/* Adds the variables of the <xflow>s of @advice's pointcut to those of @advice. */
static void take_uses(struct wv_loader *loader, struct wv_aspect_advice *advice)
{
	const struct wv_aspect_pointcut *pointcut =
		&loader->aspect->pointcuts.data[advice->pointcut];

	if (!wv_advice_asks_tags(advice))
		return;
	wv_vec_for_each(use, &pointcut->tagged) {
		wv_load_take_names(loader, advice, &use->object);
		wv_load_check_code(loader, advice, &use->object);
	}
}

void wv_load_tag_uses(struct wv_loader *loader)
{
	wv_vec_for_each(pointcut, &loader->aspect->pointcuts)
		wv_vec_for_each(use, &pointcut->tagged)
			find_tag(loader, use);
	wv_vec_for_each(advice, &loader->aspect->advices)
		take_uses(loader, advice);
}

/* ---- <tag>: the advice that tags and untags -------------------------------------------------- */

static bool names_result(const struct wv_aspect_code *code)
{
	wv_vec_for_each(named, &code->named)
		if (named->kind == WV_REFERENCE_RETURN)
			return true;
	return false;
}

/*
 * Adds the advice that tags objects of tag @index of the aspect or, if @untags, that untags them.
 * It comes before all other advice if @first, else after it.
 */
static void add_advice(struct wv_loader *loader, size_t index, bool untags, bool after, bool first)
{
	const struct wv_aspect_tag *tag = &loader->aspect->tags.data[index];
	struct wv_aspect *aspect = loader->aspect;
	struct wv_aspect_advice *advice = wv_vec_push(&aspect->advices);
	const struct wv_aspect_code *code;

	if (!advice) {
		loader->list.no_memory = true;
		return;
	}
	if (first) {
		memmove(aspect->advices.data + 1, aspect->advices.data,
			(aspect->advices.n - 1) * sizeof(*advice));
		advice = aspect->advices.data;
	}
	*advice = (struct wv_aspect_advice){
		.code = { .location = tag->location, .text.location = tag->location },
		.after = after, .tag = index + 1, .untags = untags,
		.filter = untags ? NULL : tag->filter,
	};
	wv_str_add(&advice->code.text.bytes, "");
	for (size_t i = 0; (code = wv_advice_code(aspect, advice, i)); i++)
		wv_load_take_names(loader, advice, code);
	wv_load_bind(loader, tag->node, advice, untags ? "until" : "from");
	take_uses(loader, advice);
}

/*
 * Returns the pointcut that the attribute @name of @tag names. If there is none, reports this and
 * returns NULL.
 */
static const struct wv_aspect_pointcut *find_pointcut(struct wv_loader *loader,
						      const struct wv_aspect_tag *tag,
						      const char *name)
{
	const struct wv_xml_attribute *wanted = wv_load_attribute(tag->node, name);
	size_t index;

	return wanted && wv_load_find(loader, wanted->value, wanted->value_location, &index) ?
		       &loader->aspect->pointcuts.data[index] : NULL;
}

/*
 * Reports pointcuts that do not exist, and a pointcut `until` that does not see every object that
 * is freed there: the tag of an object that it misses would hold for the next object at the same
 * address.
 */
static void check_pointcuts(struct wv_loader *loader, const struct wv_aspect_tag *tag)
{
	const struct wv_xml_attribute *until = wv_load_attribute(tag->node, "until");
	const struct wv_aspect_pointcut *pointcut = find_pointcut(loader, tag, "until");

	find_pointcut(loader, tag, "from");
	if (!pointcut)
		return;
	if (pointcut->flows.n || pointcut->tagged.n)
		wv_report_error(&loader->list, until->value_location,
				"pointcut '%s' has %s, and 'until' has to see every object that is "
				"freed", until->value,
				pointcut->flows.n ? "a <cflow>" : "an <xflow>");
}

/*
 * Returns whether the objects of @tag are tagged after the joinpoints that `from` picks. So it is
 * if `object` names $ret, which is known only after a call. At the exits of functions $ret is known
 * before the joinpoint.
 */
static bool tags_after(struct wv_loader *loader, const struct wv_aspect_tag *tag)
{
	return names_result(&tag->object) &&
	       !(find_pointcut(loader, tag, "from")->may_pick & WV_MAY_EXIT);
}

/*
 * An object must carry the tag for all other advice at the joinpoint where it is tagged, and still
 * for all other advice where it is freed. Before a joinpoint advice runs in the order of the list,
 * after a joinpoint in the reverse order (enum weft_when). So advice that tags before a joinpoint
 * is put first in the list, and advice that tags after a joinpoint is put last. Advice that untags
 * runs before a joinpoint, and is put last.
 */
void wv_load_tag_advices(struct wv_loader *loader)
{
	size_t errors = loader->list.errors.list.n;

	wv_vec_for_each(tag, &loader->aspect->tags)
		check_pointcuts(loader, tag);
	if (loader->list.no_memory || loader->list.errors.list.n > errors)
		return;
	for (size_t i = loader->aspect->tags.n; i--;) {
		const bool after = tags_after(loader, &loader->aspect->tags.data[i]);

		add_advice(loader, i, false, after, !after);
		add_advice(loader, i, true, false, false);
	}
}
