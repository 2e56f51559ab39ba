// SPDX-License-Identifier: GPL-2.0-or-later
/* The kinds of GCC's passes, by their names; see fate-pass.h. */
#include "gcc-compat.h"
#include "fate-pass.h"

static enum pass_kind kind_of_name(const char *name)
{
	static const struct {
		const char *name;
		enum pass_kind kind;
	} kinds[] = {
		{ "dse", PASS_DEAD },	       { "dce", PASS_DEAD },
		{ "cddce", PASS_DEAD },	       { "esra", PASS_SCALAR },
		{ "sra", PASS_SCALAR },	       { "fre", PASS_REDUNDANT },
		{ "pre", PASS_TAILS },	       { "dom", PASS_REDUNDANT },
		{ "sink", PASS_MERGING },      { "slp", PASS_MERGING },
		{ "cselim", PASS_MERGING },    { "store-merging", PASS_MERGING },
		{ "vect", PASS_MERGING },      { "ldist", PASS_MERGING },
		{ "lim", PASS_MERGING },       { "pcom", PASS_MERGING },
		{ "phiopt", PASS_MERGING },    { "ifcvt", PASS_MERGING },
		{ "fnsplit", PASS_SPLITTING }, { "expand", PASS_EXPAND },
	};
	/*
	 * Passes that change no statement: they only collect facts about the function, or do
	 * nothing.
	 */
	static const char *const idle[] = {
		"*all_optimizations", "*all_optimizations_g", "early_optimizations", "loop",
		"*nonnullcmp", "*early_warn_uninitialized", "early_uninit", "waccess", "walloca",
		"*rebuild_cgraph_edges", "*remove_cgraph_callee_edges", "local-fnsummary",
		"*infinite-recursion",
		"post_ipa_warn", "uninit", "stdarg", "retslot",
	};

	for (unsigned i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (!strcmp(name, kinds[i].name))
			return kinds[i].kind;
	}
	for (unsigned i = 0; i < ARRAY_SIZE(idle); i++) {
		if (!strcmp(name, idle[i]))
			return PASS_IDLE;
	}
	/* The plugin's own passes change nothing. */
	return strncmp(name, "weft_", 5) ? PASS_OTHER : PASS_IDLE;
}

enum pass_kind wp_pass_kind(const opt_pass *pass)
{
	static struct wp_map known; /* address of the pass -> 1 + its kind */
	unsigned *at = wp_map_at(&known, (uintptr_t)pass);

	if (!*at)
		*at = 1 + kind_of_name(pass->name);
	return (enum pass_kind)(*at - 1);
}
