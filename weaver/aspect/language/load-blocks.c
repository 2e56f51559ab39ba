// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * <declare>, <start>, <end>: C without a joinpoint, so that no variable of one means anything
 * there.
 */
#include <string.h>

#include "aspect/language/body.h"
#include "aspect/language/lexer.h"
#include "aspect/language/load-internal.h"
#include "aspect/language/variables.h"

bool wv_load_body(struct wv_loader *loader, const struct wv_xml_node *node, struct wv_xml_text *ret)
{
	struct wv_error error;

	if (!wv_xml_text(loader->xml, node, ret, &error))
		return true;
	wv_report_error(&loader->list, (struct wv_text_location){ error.line, error.column }, "%s", error.message);
	return false;
}

bool wv_is_block(const char *element)
{
	return !strcmp(element, "declare") || !strcmp(element, "start") || !strcmp(element, "end");
}

/* Where the block is to be; NULL where there can be none. */
static struct wv_aspect_code *place_for(struct wv_loader *loader, const struct wv_xml_node *node)
{
	struct wv_aspect *aspect = loader->aspect;
	struct wv_aspect_code *block = !strcmp(node->name, "start") ? &aspect->start :
					 !strcmp(node->name, "end")   ? &aspect->end :
									wv_vec_push(&aspect->declares);

	if (!block) {
		loader->list.no_memory = true;
	} else if (block->location.line) {
		wv_report_error(&loader->list, node->location,
			    "there is a <%s> already (%u:%u), and it runs once; put both into one", node->name,
			    block->location.line, block->location.column);
		return NULL;
	}
	return block;
}

/* The first variable that it names: it could be handed to a function, but nobody hands anything to a <start> or <end>. */
static void report_variable(struct wv_loader *loader, const struct wv_xml_node *node, struct wv_text_location location,
			      const char *name)
{
	const char *advice = !strcmp(node->name, "declare") ? "; hand it over as a parameter" : "";

	wv_report_error(&loader->list, location, "%s belongs to a joinpoint, and a <%s> has none%s", name, node->name, advice);
}

void wv_load_block(struct wv_loader *loader, const struct wv_xml_node *node)
{
	struct wv_aspect_code *block = place_for(loader, node);
	size_t errors = loader->list.errors.list.n;

	if (!block)
		return;
	block->location = node->location;
	if (!wv_load_body(loader, node, &block->text))
		return;
	wv_body_check(block, &loader->list);
	for (size_t i = 0; loader->list.errors.list.n == errors && i < wv_nr_variables; i++) {
		const struct wv_xml_text *text = &block->text;

		if (block->variables & WV_VARIABLE_BIT(i))
			report_variable(loader, node,
					  wv_xml_text_location(text, wv_token_find_name(text->bytes.data, text->bytes.n,
										     wv_variables[i].name)),
					  wv_variables[i].name);
	}
	if (loader->list.errors.list.n == errors && block->named.n)
		report_variable(loader, node, block->named.data[0].location, "this");
	else if (loader->list.errors.list.n == errors && block->tasks.n)
		report_variable(loader, node, block->tasks.data[0].location, "$task");
}
