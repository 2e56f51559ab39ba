// SPDX-License-Identifier: GPL-2.0-or-later
/* `weft stacks`: counts the stacks of callers. oneliner-cmd.c does the work. */
#include "cmds/oneliner-cmd.h"

static const struct wv_option known[] = {
	WV_ONELINER_BY,
	WV_ONELINER_OPTIONS,
};

static int run(int argc, char **argv, struct wv_error *error)
{
	static const struct wv_oneliner_operands operands = {
		.type = WV_ONELINER_STACKS, .least = 1, .most = 1,
	};

	return wv_oneliner_run(&wv_cmd_stacks, &operands, argc, argv, error);
}

const struct wv_cmd wv_cmd_stacks = {
	.name = "stacks",
	.run = run,
	.summary = "the stacks that lead to a pointcut, the most frequent first",
	.usage = "[options] POINTCUT [-- COMMAND...]",
	.options = known,
	.operands = { WV_COMPLETE_POINTCUT },
	.dashes_program = true,
	.notes = "Stacks are counted in the kernel, with 16 functions each; --rows says how\n"
		 "many different ones there is room for on each CPU, else it is 1024. With --by\n"
		 "they are counted for each comm, pid ... apart.\n"
		 WV_ONELINER_NOTES,
	.examples = "# Who frees network packets?\n"
		    "weft stacks 'sk_buff.destructor call'\n"
		    "# What does bash wait for?\n"
		    "weft stacks schedule --comm bash --for 5s\n"
		    "# Who takes pages? As a figure, on a page for a browser.\n"
		    "weft stacks __alloc_pages --html pages.html --for 5s\n",
};
