// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Loads <cflow>, which lets advice run only while a function is active in the task. For each
 * function that a <cflow> names, the aspect gets two advices that count the function's calls: one
 * at its entry, and one at its exits. A <cflow> is checked at each hit of a pointcut, and does not
 * choose joinpoints when the aspect is compiled. So a <cflow> is allowed only where it holds for
 * the whole pointcut.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aspect/language/load-flows.h"
#include "aspect/language/load-tags.h"

/*
 * Returns whether the element is one that is checked at each hit: <cflow>, or <xflow>
 * (load-tags.h).
 */
static bool is_flow(const struct wv_xml_node *node)
{
	return !strcmp(node->name, "cflow") || !strcmp(node->name, "xflow");
}

static bool is_not_flow(const struct wv_xml_node *node)
{
	return !strcmp(node->name, "not") && node->children.n == 1 &&
	       is_flow(node->children.data[0]);
}

/* Returns whether the aspect has a flow of @function already. If so, sets *@ret to its index. */
static bool find_flow(const struct wv_aspect *aspect, const char *function, size_t *ret)
{
	wv_vec_for_each(flow, &aspect->flows) {
		*ret = flow - aspect->flows.data;
		if (flow->function && !strcmp(flow->function, function))
			return true;
	}
	return false;
}

static void add_use(struct wv_loader *loader, const struct wv_xml_node *node, bool absent,
		    struct wv_aspect_pointcut *pointcut)
{
	char *function = wv_load_identifier(loader, node, "function", WV_LETTERS_SYMBOL);
	struct wv_aspect *aspect = loader->aspect;
	struct wv_flow_use *use = function ? wv_vec_push(&pointcut->flows) : NULL;
	struct wv_aspect_flow *flow;

	if (!function)
		return;
	if (!use) {
		loader->list.no_memory = true;
		free(function);
		return;
	}
	use->absent = absent;
	if (find_flow(aspect, function, &use->flow)) {
		free(function);
		return;
	}
	flow = wv_vec_push(&aspect->flows);
	if (!flow) {
		loader->list.no_memory = true;
		free(function);
		return;
	}
	flow->function = function;
	flow->location = node->location;
	use->flow = aspect->flows.n - 1;
}

static void add_any_use(struct wv_loader *loader, const struct wv_xml_node *node, bool absent,
			struct wv_aspect_pointcut *pointcut)
{
	if (!strcmp(node->name, "cflow"))
		add_use(loader, node, absent, pointcut);
	else
		wv_load_tag_use(loader, node, absent, pointcut);
}

/*
 * Reports each <cflow> and <xflow> in @node and below it: none is allowed there. @parent: the
 * parent of @node. wv_load_check() reports those that are in any other element than an <and> or a
 * <not>, so this function leaves them out.
 */
static void report_inner(struct wv_loader *loader, const struct wv_xml_node *parent,
			 const struct wv_xml_node *node)
{
	if (is_flow(node) && (!strcmp(parent->name, "and") || !strcmp(parent->name, "not")))
		wv_report_error(&loader->list, node->location,
				"%s stands in the outermost <and> of a pointcut, alone or in a "
				"<not>: it is asked at each hit",
				!strcmp(node->name, "cflow") ? "a <cflow>" : "an <xflow>");
	wv_vec_for_each(child, &node->children)
		report_inner(loader, node, *child);
}

void wv_load_flows(struct wv_loader *loader, const struct wv_xml_node *node,
		   struct wv_aspect_pointcut *pointcut)
{
	if (is_flow(node))
		return; /* wv_load_check() reports one that is alone in a <pointcut> */
	wv_vec_for_each(child, &node->children) {
		bool outermost = !strcmp(node->name, "and");

		if (outermost && is_flow(*child))
			add_any_use(loader, *child, false, pointcut);
		else if (outermost && is_not_flow(*child))
			add_any_use(loader, (*child)->children.data[0], true, pointcut);
		else if (!is_flow(*child) || !strcmp(node->name, "not"))
			report_inner(loader, node, *child);
	}
}

/* ---- adding the advice that counts calls ----------------------------------------------------- */

/*
 * Adds a pointcut that picks the entry of the flow's function. The pointcut's name contains a
 * blank, which no name in the XML may contain, so it is not mistaken for one of the author's.
 */
static bool add_pointcut(struct wv_loader *loader, const struct wv_aspect_flow *flow)
{
	struct wv_aspect_pointcut *pointcut = wv_vec_push(&loader->aspect->pointcuts);

	if (!pointcut)
		return false;
	pointcut->location = flow->location;
	pointcut->pick = calloc(1, sizeof(*pointcut->pick));
	if (asprintf(&pointcut->name, "cflow %s", flow->function) < 0)
		pointcut->name = NULL;
	if (!pointcut->pick || !pointcut->name)
		return false;
	pointcut->pick->type = WV_PICK_POINTCUT;
	pointcut->pick->location = flow->location;
	pointcut->pick->pointcut.type = WV_POINTCUT_ENTRY;
	pointcut->pick->pointcut.symbol = strdup(flow->function);
	pointcut->may_pick = WV_MAY_CALL;
	return pointcut->pick->pointcut.symbol;
}

static bool add_advice(struct wv_loader *loader, const struct wv_aspect_flow *flow, bool after,
		       size_t index)
{
	struct wv_aspect *aspect = loader->aspect;
	struct wv_aspect_advice *advice = wv_vec_push(&aspect->advices),
				*first = aspect->advices.data;

	if (!advice)
		return false;
	memmove(first + index + 1, first + index, (aspect->advices.n - 1 - index) * sizeof(*first));
	first[index] = (struct wv_aspect_advice){
		.code = { .location = flow->location, .text.location = flow->location },
		.after = after, .pointcut = aspect->pointcuts.n - 1,
		.flow = flow - aspect->flows.data + 1,
	};
	wv_str_add(&first[index].code.text.bytes, "");
	return true;
}

/*
 * Adds the advice that counts each flow's entries and exits, before all other advice of the aspect.
 * Advice nests (enum weft_when): the first one runs first at the function's entry, and last at its
 * exits. So for all other advice the function's own entry and exits are inside the flow.
 */
void wv_load_flow_advices(struct wv_loader *loader)
{
	size_t n = 0;

	if (!loader->aspect->advices.n)
		return; /* there is no advice that a flow could restrict */
	wv_vec_for_each(flow, &loader->aspect->flows)
		if (!add_pointcut(loader, flow) || !add_advice(loader, flow, false, n++) ||
		    !add_advice(loader, flow, true, n++))
			loader->list.no_memory = true;
}
