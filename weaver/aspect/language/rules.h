/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The elements of the aspect language as one table: what each element requires, allows and
 * contains. The loader checks a file against it, for better messages; aspect.rng is the same
 * grammar for other programs. A test checks that the two agree.
 */
#ifndef WV_RULES_H
#define WV_RULES_H

#include <stdbool.h>
#include <stddef.h>

#define WV_RULE_NAMES 20

struct wv_rule {
	const char *name;
	const char *required[WV_RULE_NAMES], *optional[WV_RULE_NAMES]; /* names of attributes */
	const char *children[WV_RULE_NAMES];
	bool text; /* contains C as text; other elements contain no text */
};

extern const struct wv_rule wv_rules[];
extern const size_t wv_nr_rules;

const struct wv_rule *wv_rule_find(const char *name);

/*
 * The attribute name that a rule uses for @name: @name itself, or the current word if @name is an
 * older one.
 */
const char *wv_rule_attribute(const char *name);

/* Number of names in a rule's list, which ends with NULL or after WV_RULE_NAMES. */
size_t wv_rule_count(const char *const *names);
bool wv_rule_has(const char *const *names, const char *name);

#endif /* WV_RULES_H */
