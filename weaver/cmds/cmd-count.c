// SPDX-License-Identifier: GPL-2.0-or-later
/* `weft count`: counts hits. oneliner-cmd.c does the work. */
#include "cmds/oneliner-cmd.h"

static const struct wv_option known[] = {
	WV_ONELINER_BY,
	WV_ONELINER_OPTIONS,
};

static int run(int argc, char **argv, struct wv_error *error)
{
	static const struct wv_oneliner_operands operands = {
		.type = WV_ONELINER_COUNT, .least = 1, .most = 1,
	};

	return wv_oneliner_run(&wv_cmd_count, &operands, argc, argv, error);
}

const struct wv_cmd wv_cmd_count = {
	.name = "count",
	.run = run,
	.summary = "count the hits of a pointcut until ^C, in a table",
	.usage = "[options] POINTCUT [-- COMMAND...]",
	.options = known,
	.operands = { WV_COMPLETE_POINTCUT },
	.dashes_program = true,
	.notes = "Counts exactly: each hit changes its CPU's own counter.\n"
		 WV_ONELINER_NOTES,
	.examples = "# Who opens files?\n"
		    "weft count vfs_open --by comm\n"
		    "# Which functions change an inode's state?\n"
		    "weft count 'inode.i_state set|rmw' --by function --for 10s\n"
		    "# How often does a command get to that line?\n"
		    "weft count fs/namei.c:2404 -- ls -R /etc\n"
		    "# Which functions are reached through a pointer?\n"
		    "weft count 'file_operations.read_iter call' --by target --for 10s\n"
		    "# Switches between tasks, by CPU and second, while they happen.\n"
		    "weft count tracepoint:sched_switch --by 'cpu, bucket(now, 1s)' --watch\n",
};
