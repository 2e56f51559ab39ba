// SPDX-License-Identifier: GPL-2.0-or-later
/* `weft time`: measures durations. oneliner-cmd.c does the work. */
#include "cmds/oneliner-cmd.h"

static const struct wv_option known[] = {
	WV_FLAG(struct wv_oneliner_options, open, "open", 0,
		"all that has not ended, not only the five oldest"),
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
		 "first to the second, in the same task. What has not ended is listed: who, since\n"
		 "when, and where it started.\n"
		 WV_ONELINER_NOTES,
	.examples = "# How long does reading take, by program?\n"
		    "weft time vfs_read --by comm\n"
		    "# From one line to another, in the same task.\n"
		    "weft time fs/read_write.c:461 fs/read_write.c:473\n"
		    "# Calls through a member, by the function that is called.\n"
		    "weft time 'proto_ops.sendmsg call' --by target --for 10s\n"
		    "# Where does the opening of files spend its time? The calls that it makes.\n"
		    "weft time do_sys_openat2%calls --by target -- ls -R /etc\n",
};
