// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads values of attributes and texts of elements; see load-attributes.h. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "aspect/language/load-attributes.h"
#include "aspect/language/rules.h"
#include "database/file-name.h"

const struct wv_xml_attribute *wv_load_attribute(const struct wv_xml_node *node, const char *name)
{
	wv_vec_for_each(attribute, &node->attributes)
		if (!strcmp(wv_rule_attribute(attribute->name), name))
			return attribute;
	return NULL;
}

char *wv_load_text(struct wv_loader *loader, const struct wv_xml_node *node, const char *name)
{
	const struct wv_xml_attribute *attribute = wv_load_attribute(node, name);
	char *copy = attribute ? strdup(attribute->value) : NULL;

	loader->list.no_memory |= attribute && !copy;
	return copy;
}

bool wv_load_is_identifier(const char *text, const char *also)
{
	if (!isalpha((unsigned char)*text) && *text != '_' && (!*text || !strchr(also, *text)))
		return false;
	for (; *text; text++)
		if (!isalnum((unsigned char)*text) && *text != '_' && !strchr(also, *text))
			return false;
	return true;
}

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
		bool pattern = wv_load_is_identifier(attribute->value, WV_LETTERS_SYMBOL);

		wv_report_error(&loader->list, attribute->value_location, "'%s' is not a name%s",
			    attribute->value,
			    keyword ? "; write the tag alone" :
			    pattern && wv_is_pattern(attribute->value) ?
				      "; one name is wanted here, and no pattern" :
				      "");
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
		wv_report_error(&loader->list, attribute->value_location,
			    "%s is out of range: %llu to %llu", attribute->value,
			    (unsigned long long)least, (unsigned long long)most);
	return value;
}

uint32_t wv_load_bits_for(uint64_t n)
{
	uint32_t bits = 1;

	/*
	 * Shift by at most 63, which is defined: @n may be a number that was reported as too large.
	 */
	while (bits < 63 && UINT64_C(1) << bits < n)
		bits++;
	return bits;
}

uint32_t wv_load_table_bits(struct wv_loader *loader, const struct wv_xml_node *node,
			    const char *name, uint64_t otherwise, uint64_t most)
{
	enum {
		/*
		 * The table has this many slots for each entry that it has room for. It is never
		 * more than a quarter full then, and so a bucket is seldom full.
		 */
		SLOTS_AN_ENTRY = 4,
		WAYS = 8, /* slots in a bucket, as in runtime/task-table.h and tag-table.h */
	};
	uint64_t entries = wv_load_attribute(node, name)
				   ? wv_load_number(loader, node, name, 1, most) : otherwise;

	return wv_load_bits_for((entries * SLOTS_AN_ENTRY + WAYS - 1) / WAYS);
}

bool wv_load_yes(struct wv_loader *loader, const struct wv_xml_node *node, const char *name)
{
	const struct wv_xml_attribute *attribute = wv_load_attribute(node, name);

	if (!attribute || !strcmp(attribute->value, "no"))
		return false;
	if (strcmp(attribute->value, "yes"))
		wv_report_error(&loader->list, attribute->value_location, "%s is \"yes\" or \"no\"",
				name);
	return true;
}

/* ---- reading the author's C ------------------------------------------------------------------ */

static bool take_text(struct wv_loader *loader, int failed, const struct wv_error *error)
{
	const struct wv_text_location location = { error->line, error->column };

	if (failed)
		wv_report_error(&loader->list, location, "%s", error->message);
	return !failed;
}

bool wv_load_body(struct wv_loader *loader, const struct wv_xml_node *node,
		  struct wv_aspect_code *ret)
{
	struct wv_error error = { 0 };

	ret->location = node->location;
	return take_text(loader, wv_xml_text(loader->xml, node, &ret->text, &error), &error);
}

bool wv_load_code(struct wv_loader *loader, const struct wv_xml_attribute *attribute,
		  struct wv_aspect_code *ret)
{
	struct wv_error error = { 0 };

	ret->location = attribute->value_location;
	return take_text(loader, wv_xml_value(loader->xml, attribute, &ret->text, &error), &error);
}

bool wv_code_is_blank(const struct wv_aspect_code *code)
{
	const char *text = code->text.bytes.data;

	return !text[strspn(text, " \t\n")];
}
