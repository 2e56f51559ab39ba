// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Compares the schema aspect.rng with the table in rules.c: both must have the same elements, each
 * with the same attributes, required or not, the same elements inside, and C code at the same
 * places. Also compares the schema's lists of words with the tables of parts of functions and of
 * kinds of access. The schema is read as XML, so that the test can print what only one of the two
 * has.
 */
#include <libxml/parser.h>
#include <libxml/tree.h>

#include "cmocka-all.h"

#include "aspect/language/rules.h"
#include "runtime/joinpoint-table.h"
#include "database/pointcut-kinds.h"

#define SCHEMA "weaver/aspect/language/aspect.rng"

/* What the schema says of one element. */
struct found {
	char attributes[WV_RULE_NAMES][32], children[WV_RULE_NAMES][32];
	bool optional[WV_RULE_NAMES];
	size_t nr_attributes, nr_children;
	bool text;
};

static bool is_named(const xmlNode *node, const char *name)
{
	return node->type == XML_ELEMENT_NODE && !strcmp((const char *)node->name, name);
}

static void name_of(xmlNode *node, char *ret, size_t size)
{
	xmlChar *name = xmlGetProp(node, BAD_CAST "name");

	assert_non_null(name);
	snprintf(ret, size, "%s", (const char *)name);
	xmlFree(name);
}

static xmlNode *find_definition(xmlNode *grammar, const char *wanted)
{
	char name[32];

	for (xmlNode *node = grammar->children; node; node = node->next) {
		if (!is_named(node, "define"))
			continue;
		name_of(node, name, sizeof(name));
		if (!strcmp(name, wanted))
			return node;
	}
	fail_msg("the schema refers to '%s', which it does not define", wanted);
	return NULL;
}

static void note(char (*list)[32], size_t *n, const char *name)
{
	for (size_t i = 0; i < *n; i++)
		if (!strcmp(list[i], name))
			return;
	assert_true(*n < WV_RULE_NAMES);
	strcpy(list[(*n)++], name);
}

/*
 * Collects everything below @parent that belongs to the element itself; follows references, but
 * does not go into other elements.
 */
static void collect(xmlNode *grammar, xmlNode *parent, bool optional, struct found *ret)
{
	char name[32];

	for (xmlNode *node = parent->children; node; node = node->next) {
		bool open = optional || is_named(node, "optional") || is_named(node, "choice");

		if (node->type != XML_ELEMENT_NODE)
			continue;
		if (is_named(node, "text"))
			ret->text = true;
		if (is_named(node, "element") || is_named(node, "attribute") ||
		    is_named(node, "ref"))
			name_of(node, name, sizeof(name));
		if (is_named(node, "element")) {
			note(ret->children, &ret->nr_children, name);
		} else if (is_named(node, "attribute") && strcmp(wv_rule_attribute(name), name)) {
			/*
			 * This is an older name of an attribute whose new name is in the schema as
			 * well.
			 */
			continue;
		} else if (is_named(node, "attribute")) {
			ret->optional[ret->nr_attributes] = open;
			note(ret->attributes, &ret->nr_attributes, name);
		} else if (is_named(node, "ref")) {
			collect(grammar, find_definition(grammar, name), open, ret);
		} else {
			collect(grammar, node, open, ret);
		}
	}
}

static void compare_names(const char *element, const char *what, char (*found)[32], size_t n,
			  const char *const *wanted, const char *const *also)
{
	for (size_t i = 0; i < n; i++)
		if (!wv_rule_has(wanted, found[i]) && !wv_rule_has(also, found[i]))
			fail_msg("<%s>: the schema has the %s '%s', rules.c has not", element, what,
				 found[i]);
	for (size_t i = 0; i < wv_rule_count(wanted); i++) {
		bool has = false;

		for (size_t k = 0; k < n; k++)
			has |= !strcmp(found[k], wanted[i]);
		if (!has)
			fail_msg("<%s>: rules.c has the %s '%s', the schema has not", element, what,
				 wanted[i]);
	}
}

static void compare_rule(const struct wv_rule *rule, struct found *found)
{
	static const char *const none[WV_RULE_NAMES];

	compare_names(rule->name, "attribute", found->attributes, found->nr_attributes,
		      rule->required, rule->optional);
	compare_names(rule->name, "attribute", found->attributes, found->nr_attributes,
		      rule->optional, rule->required);
	compare_names(rule->name, "element", found->children, found->nr_children, rule->children,
		      none);
	for (size_t i = 0; i < found->nr_attributes; i++)
		if (found->optional[i] == wv_rule_has(rule->required, found->attributes[i]))
			fail_msg("<%s>: schema and rules.c differ in whether '%s' is needed",
				 rule->name, found->attributes[i]);
	assert_int_equal(found->text, rule->text);
}

/* Compares every <element> of the schema, at whatever depth. */
static void compare_elements(xmlNode *grammar, xmlNode *parent, bool *seen)
{
	for (xmlNode *node = parent->children; node; node = node->next) {
		struct found found = { 0 };
		const struct wv_rule *rule;
		char name[32];

		if (is_named(node, "element")) {
			name_of(node, name, sizeof(name));
			rule = wv_rule_find(name);
			if (!rule)
				fail_msg("the schema has an element <%s>, rules.c has not", name);
			seen[rule - wv_rules] = true;
			collect(grammar, node, false, &found);
			compare_rule(rule, &found);
		}
		compare_elements(grammar, node, seen);
	}
}

static void schema_and_rules_agree(void **state)
{
	xmlDoc *schema = xmlReadFile(SCHEMA, NULL, XML_PARSE_NONET);
	bool *seen = calloc(wv_nr_rules, sizeof(*seen));

	assert_non_null(schema);
	compare_elements(xmlDocGetRootElement(schema), xmlDocGetRootElement(schema), seen);
	for (size_t i = 0; i < wv_nr_rules; i++)
		if (!seen[i])
			fail_msg("rules.c has an element <%s>, the schema has not",
				 wv_rules[i].name);
	free(seen);
	xmlFreeDoc(schema);
}

/* The schema must have a list of words with '|' between as "(a|b)(\|(a|b))*". */
static void assert_list(xmlNode *grammar, const char *definition, const char *words)
{
	xmlNode *data = xmlFirstElementChild(find_definition(grammar, definition));
	xmlChar *found = xmlNodeGetContent(xmlFirstElementChild(data));
	char wanted[256];

	snprintf(wanted, sizeof(wanted), "(%s)(\\|(%s))*", words, words);
	assert_string_equal((const char *)found, wanted);
	xmlFree(found);
}

static void schema_and_words_agree(void **state)
{
	xmlDoc *schema = xmlReadFile(SCHEMA, NULL, XML_PARSE_NONET);
	xmlNode *grammar = xmlDocGetRootElement(schema);
	const struct wv_function_part *part;
	char parts[128] = "", kinds[128] = "";

	assert_non_null(schema);
	for (size_t i = 0; (part = wv_function_part(i, NULL)); i++)
		if (part->in_xml)
			strcat(strcat(parts, *parts ? "|" : ""), part->name);
	assert_list(grammar, "places", parts);
	for (unsigned int kind = 0; kind < WEFT_KIND_COUNT; kind++)
		strcat(strcat(kinds, kind ? "|" : ""), wv_kind_name(kind));
	assert_list(grammar, "kinds", kinds);
	xmlFreeDoc(schema);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(schema_and_rules_agree),
		cmocka_unit_test(schema_and_words_agree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
