/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The elements of the aspect language as one table: what each needs, may have and may hold. The
 * loader checks a file against it for the sake of its messages; aspect.rng says the same to other
 * programs, and a test holds the two together.
 */
#ifndef WV_RULES_H
#define WV_RULES_H

#include <stdbool.h>
#include <stddef.h>

#define WV_RULE_NAMES 20

struct wv_rule {
	const char *name;
	const char *required[WV_RULE_NAMES], *optional[WV_RULE_NAMES]; /* attributes */
	const char *children[WV_RULE_NAMES];
	bool text; /* its text is C; in all others there is none */
};

extern const struct wv_rule wv_rules[];
extern const size_t wv_nr_rules;

const struct wv_rule *wv_rule_find(const char *name);

/*
 * The name that a rule has for the attribute @name: @name itself, or what it is an older word for.
 */
const char *wv_rule_attribute(const char *name);

/* Lists of names in a rule end with NULL or after WV_RULE_NAMES. */
size_t wv_rule_count(const char *const *names);
bool wv_rule_has(const char *const *names, const char *name);

#endif /* WV_RULES_H */
