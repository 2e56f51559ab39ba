// SPDX-License-Identifier: GPL-2.0-or-later
/* `weft time`: measures durations. oneliner-cmd.c does the work. */
#include "cmds/oneliner-cmd.h"

static const struct wv_option known[] = {
	WV_ONELINER_BY,
	WV_ONELINER_OPTIONS,
};

static int run(int argc, char **argv, struct wv_error *error)
{
	static const struct wv_oneliner_operands operands = {
		.type = WV_ONELINER_TIME, .least = 1, .most = 2,
	};

	return wv_oneliner_run(&wv_cmd_time, &operands, argc, argv, error);
}

const struct wv_cmd wv_cmd_time = {
	.name = "time",
	.run = run,
	.summary = "how long a function or call takes, or from one point to another",
	.usage = "[options] POINTCUT [POINTCUT] [-- COMMAND...]",
	.options = known,
	.operands = { WV_COMPLETE_POINTCUT, WV_COMPLETE_POINTCUT },
	.dashes_program = true,
	.notes = "Of one pointcut: from before it until it has returned. Of two: from the\n"
		 "first to the second, in the same task; how many have not ended is printed.\n"
		 WV_ONELINER_NOTES,
	.examples = "weft time vfs_read --by comm\n"
		    "weft time fs/namei.c:2280 fs/namei.c:2404\n"
		    "weft time 'proto_ops.sendmsg call' --by target --for 10s\n",
};
