// SPDX-License-Identifier: GPL-2.0-or-later
/* The tree of an XML file; see xml-tree.h. */
#include <stdlib.h>

#include "aspect/xml/xml-tree.h"

struct wv_text_location wv_xml_location(const struct wv_xml *xml, size_t offset)
{
	/* The first line begins at offset 0, so at least one line begins at or before @offset. */
	size_t line = wv_vec_partition(&xml->lines, start, *start <= offset);

	return (struct wv_text_location){ line, offset - xml->lines.data[line - 1] + 1 };
}

static void node_destroy(struct wv_xml_node *node)
{
	if (!node)
		return;
	wv_vec_for_each(attribute, &node->attributes) {
		free(attribute->name);
		free(attribute->value);
	}
	wv_vec_for_each(child, &node->children)
		node_destroy(*child); /* recursion is limited: libxml2 allows a depth of 256 */
	wv_vec_deinit(&node->attributes);
	wv_vec_deinit(&node->children);
	wv_vec_deinit(&node->runs);
	free(node->name);
	free(node);
}

void wv_xml_destroy(struct wv_xml *xml)
{
	if (!xml)
		return;
	node_destroy(xml->root);
	wv_vec_deinit(&xml->lines);
	free(xml->bytes);
	free(xml->path);
	free(xml);
}
