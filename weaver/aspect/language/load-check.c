// SPDX-License-Identifier: GPL-2.0-or-later
/* Checks the tree of elements against the language's rules; see load-check.h. */
#include <string.h>

#include "aspect/language/load-check.h"
#include "base/suggest.h"

/*
 * Reports "unknown THING 'NAME' in <parent>; did you mean X?". If no name is similar, the message
 * lists all of @names, the names that are allowed.
 */
static void report_unknown(struct wv_loader *loader, struct wv_text_location location,
			   const char *thing, const char *name, const char *parent,
			   const char *const *names, size_t n)
{
	struct wv_suggestion suggestion = { .wanted = name };
	struct wv_str all = { 0 };
	char text[512];

	for (size_t i = 0; i < n; i++) {
		wv_suggestion_offer(&suggestion, names[i]);
		wv_str_addf(&all, "%s%s", i ? ", " : "; it may have ", names[i]);
	}
	wv_suggestion_text(&suggestion, text, sizeof(text));
	wv_report_error(&loader->list, location, "unknown %s '%s' in <%s>%s", thing, name, parent,
		    *text ? text : all.data ? all.data : ", which has none");
	wv_str_deinit(&all);
}

static void check_attributes(struct wv_loader *loader, const struct wv_xml_node *node,
			     const struct wv_rule *rule)
{
	const char *names[2 * WV_RULE_NAMES];
	size_t n = 0;

	for (size_t i = 0; i < wv_rule_count(rule->required); i++)
		names[n++] = rule->required[i];
	for (size_t i = 0; i < wv_rule_count(rule->optional); i++)
		names[n++] = rule->optional[i];
	wv_vec_for_each(attribute, &node->attributes) {
		const char *name = wv_rule_attribute(attribute->name);

		if (!wv_rule_has(rule->required, name) && !wv_rule_has(rule->optional, name))
			report_unknown(loader, attribute->location, "attribute", attribute->name,
				       rule->name, names, n);
		else if (wv_load_attribute(node, name) != attribute)
			wv_report_error(&loader->list, attribute->location,
					"'%s' and '%s' mean the same: give one of them",
					wv_load_attribute(node, name)->name, attribute->name);
	}
	for (size_t i = 0; i < wv_rule_count(rule->required); i++)
		if (!wv_load_attribute(node, rule->required[i]))
			wv_report_error(&loader->list, node->location,
					"<%s> needs the attribute '%s'", rule->name,
					rule->required[i]);
}

static void check_text(struct wv_loader *loader, const struct wv_xml_node *node,
		       const struct wv_rule *rule)
{
	struct wv_xml_text text;
	struct wv_error error;
	size_t blanks;

	if (rule->text)
		return;
	if (wv_xml_text(loader->xml, node, &text, &error)) {
		wv_report_error(&loader->list,
				(struct wv_text_location){ error.line, error.column }, "%s",
				error.message);
		return;
	}
	blanks = strspn(text.bytes.data, " \t\n");
	if (text.bytes.data[blanks])
		wv_report_error(&loader->list, wv_xml_text_location(&text, blanks),
			    "text does not belong into <%s>", rule->name);
	wv_xml_text_deinit(&text);
}

void wv_load_check(struct wv_loader *loader, const struct wv_xml_node *node,
		   const struct wv_rule *rule)
{
	check_attributes(loader, node, rule);
	check_text(loader, node, rule);
	wv_vec_for_each(child, &node->children) {
		const char *name = (*child)->name;

		if (wv_rule_has(rule->children, name))
			wv_load_check(loader, *child, wv_rule_find(name));
		else if (rule->text)
			wv_report_error(&loader->list, (*child)->location,
				    "an element <%s> in a body (C's < is written &lt;, or the body "
				    "is put into <![CDATA[ ]]>)",
				    name);
		else if (!strcmp(name, "within") || !strcmp(name, "not") ||
			 !strcmp(name, "cflow") || !strcmp(name, "xflow"))
			wv_report_error(&loader->list, (*child)->location,
				    "<%s> picks nothing by itself: "
				    "it stands in an <and>, beside what does",
				    name);
		else
			report_unknown(loader, (*child)->location, "element", name, rule->name,
					 rule->children, wv_rule_count(rule->children));
	}
}
