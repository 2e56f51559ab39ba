/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The elements of the aspect language as one table: what each element requires, allows and
 * contains. The loader checks a file against this table, since it can report more about a mistake
 * than a schema can. aspect.rng is the same grammar for other programs; a test checks that both
 * agree.
 */
#ifndef WV_RULES_H
#define WV_RULES_H

#include <stdbool.h>
#include <stddef.h>

#define WV_RULE_NAMES 20

struct wv_rule {
	const char *name;
	/* names of attributes, the unused ones NULL */
	const char *required[WV_RULE_NAMES], *optional[WV_RULE_NAMES];
	const char *children[WV_RULE_NAMES];
	bool text; /* contains C as text; if false, an element contains no text */
};

extern const struct wv_rule wv_rules[];
extern const size_t wv_nr_rules;

const struct wv_rule *wv_rule_find(const char *name);

/*
 * The current name of attribute @name: another name if @name is an older word, else @name itself.
 */
const char *wv_rule_attribute(const char *name);

/*
 * The number of names in a list of a rule. It ends at the first NULL, or after WV_RULE_NAMES names.
 */
size_t wv_rule_count(const char *const *names);
bool wv_rule_has(const char *const *names, const char *name);

#endif /* WV_RULES_H */
