// SPDX-License-Identifier: GPL-2.0-or-later
/* The kinds of GCC's passes, by their names; see fate-pass.h. */
#include "gcc-compat.h"
#include "fate-pass.h"

enum pass_kind wp_pass_kind(const opt_pass *pass)
{
	static const struct {
		const char *name;
		enum pass_kind kind;
	} kinds[] = {
		{ "dse", PASS_DEAD },	       { "dce", PASS_DEAD },
		{ "cddce", PASS_DEAD },	       { "esra", PASS_SCALAR },
		{ "sra", PASS_SCALAR },	       { "fre", PASS_REDUNDANT },
		{ "pre", PASS_TAILS },	    { "dom", PASS_REDUNDANT },
		{ "sink", PASS_MERGING },      { "slp", PASS_MERGING },
		{ "cselim", PASS_MERGING },    { "store-merging", PASS_MERGING },
		{ "vect", PASS_MERGING },      { "ldist", PASS_MERGING },
		{ "lim", PASS_MERGING },       { "pcom", PASS_MERGING },
		{ "phiopt", PASS_MERGING },    { "ifcvt", PASS_MERGING },
		{ "fnsplit", PASS_SPLITTING },  { "expand", PASS_EXPAND },
	};

	for (unsigned i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (!strcmp(pass->name, kinds[i].name))
			return kinds[i].kind;
	}
	return PASS_OTHER;
}
