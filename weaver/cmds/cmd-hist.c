// SPDX-License-Identifier: GPL-2.0-or-later
/* `weft hist`: shows how often each value occurs. oneliner-cmd.c does the work. */
#include "cmds/oneliner-cmd.h"

static const struct wv_option known[] = {
	WV_TEXT(struct wv_oneliner_options, asked.value, "value", 0, "C", WV_COMPLETE_ANY,
		"the number, in C: '$arg3', '$(count)', '$ret', '$field(sk_state)'"),
	WV_TEXT(struct wv_oneliner_options, asked.unit, "unit", 'u', "UNIT", WV_COMPLETE_ANY,
		"of the value, for people: B and ns are scaled"),
	WV_ONELINER_BY,
	WV_ONELINER_OPTIONS,
};

static int run(int argc, char **argv, struct wv_error *error)
{
	static const struct wv_oneliner_operands operands = {
		.type = WV_ONELINER_HIST, .least = 1, .most = 1,
	};

	return wv_oneliner_run(&wv_cmd_hist, &operands, argc, argv, error);
}

const struct wv_cmd wv_cmd_hist = {
	.name = "hist",
	.run = run,
	.summary = "a histogram of a value at a pointcut, until ^C",
	.usage = "[options] --value C POINTCUT [-- COMMAND...]",
	.options = known,
	.operands = { WV_COMPLETE_POINTCUT },
	.dashes_program = true,
	.notes = "The value is signed or unsigned as its type is: $argN is a pointer, so it is\n"
		 "unsigned. $ret is what the function returns, read where it is left.\n"
		 WV_ONELINER_NOTES,
	.examples = "# How much do programs ask to read at once, where it is much?\n"
		    "weft hist vfs_read --value '$arg3' --by comm --if '$arg3 > 4096'\n"
		    "# And how much do they get?\n"
		    "weft hist vfs_read --value '$ret' --unit B --for 10s\n"
		    "# How deep in links is the look-up of paths? A local variable, at a line.\n"
		    "weft hist fs/namei.c:2305 --value '$(depth)' -- ls -R /etc\n",
};
