/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The elements of the aspect language as one table: what each element requires, allows and
 * contains. The loader checks a file by this table, because it can give better messages than a
 * schema. aspect.rng is the same grammar for other programs; a test checks that both agree.
 */
#ifndef WV_RULES_H
#define WV_RULES_H

#include <stdbool.h>
#include <stddef.h>

#define WV_RULE_NAMES 20

struct wv_rule {
	const char *name;
	/* names of attributes; NULL in unused elements of the arrays */
	const char *required[WV_RULE_NAMES], *optional[WV_RULE_NAMES];
	const char *children[WV_RULE_NAMES];
	bool text; /* true: contains C as text; false: contains no text */
};

extern const struct wv_rule wv_rules[];
extern const size_t wv_nr_rules;

const struct wv_rule *wv_rule_find(const char *name);

/*
 * Returns the current name of attribute @name: its new name if @name is an older one, else @name.
 */
const char *wv_rule_attribute(const char *name);

/*
 * wv_rule_count() returns the number of names in a list of a rule, which ends at the first NULL or
 * after WV_RULE_NAMES names. wv_rule_has() returns whether the list has @name.
 */
size_t wv_rule_count(const char *const *names);
bool wv_rule_has(const char *const *names, const char *name);

#endif /* WV_RULES_H */
