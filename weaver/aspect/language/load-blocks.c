// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Loads <declare>, <start> and <end>: C that belongs to no joinpoint. So variables ($...) are
 * errors in it.
 */
#include <string.h>

#include "aspect/language/body.h"
#include "aspect/language/lexer.h"
#include "aspect/language/load-blocks.h"

/*
 * Returns the struct in which the aspect stores the block. Reports a second <start> or <end>.
 * Returns NULL after that, and if out of memory.
 */
static struct wv_aspect_code *block_for(struct wv_loader *loader, const struct wv_xml_node *node)
{
	struct wv_aspect *aspect = loader->aspect;
	struct wv_aspect_code *block = !strcmp(node->name, "start") ? &aspect->start
				       : !strcmp(node->name, "end")
					       ? &aspect->end
					       : wv_vec_push(&aspect->declares);

	if (!block) {
		loader->list.no_memory = true;
	} else if (block->location.line) {
		wv_report_error(
			&loader->list, node->location,
			"there is a <%s> already (%u:%u), and it runs once; put both into one",
			node->name, block->location.line, block->location.column);
		return NULL;
	}
	return block;
}

/*
 * Reports that the block uses the variable @name, which has a value only in advice. For a <declare>
 * the message adds a remedy: advice can pass the value to the functions that the <declare> defines.
 * For a <start> or <end> there is no remedy, because advice does not call them.
 */
static void report_variable(struct wv_loader *loader, const struct wv_xml_node *node,
			      struct wv_text_location location, const char *name)
{
	const char *advice = !strcmp(node->name, "declare") ? "; hand it over as a parameter" : "";

	wv_report_error(&loader->list, location, "%s belongs to a joinpoint, and a <%s> has none%s",
			name, node->name, advice);
}

void wv_load_block(struct wv_loader *loader, const struct wv_xml_node *node)
{
	struct wv_aspect_code *block = block_for(loader, node);
	size_t errors = loader->list.errors.list.n;

	if (!block || !wv_load_body(loader, node, block))
		return;
	wv_body_check(block, &loader->list);
	for (size_t i = 0; loader->list.errors.list.n == errors && i < wv_nr_variables; i++) {
		const struct wv_str *text = &block->text.bytes;
		const char *name = wv_variables[i].name;
		size_t offset;

		if (!(block->variables & WV_VARIABLE_BIT(i)))
			continue;
		offset = wv_token_find_name(text->data, text->n, name);
		report_variable(loader, node, wv_xml_text_location(&block->text, offset), name);
	}
	if (loader->list.errors.list.n == errors && block->named.n)
		report_variable(loader, node, block->named.data[0].location, "this");
	else if (loader->list.errors.list.n == errors && block->tasks.n)
		report_variable(loader, node, block->tasks.data[0].location, "$task");
}
