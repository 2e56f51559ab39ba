// SPDX-License-Identifier: GPL-2.0-or-later
/* `weft watch`: prints every write of a member. oneliner-cmd.c does the work. */
#include "cmds/oneliner-cmd.h"

static const struct wv_option known[] = {
	WV_FLAG(struct wv_oneliner_options, asked.stack, "stack", 's',
		"with the functions that have led there, eight at most"),
	WV_FLAG(struct wv_oneliner_options, asked.changed, "changed", 'c',
		"only writes of another value than the member had"),
	WV_FLAG(struct wv_oneliner_options, asked.hex, "hex", 'X', "numbers in hexadecimal"),
	WV_ONELINER_RECORD,
	WV_ONELINER_OPTIONS,
};

static int run(int argc, char **argv, struct wv_error *error)
{
	static const struct wv_oneliner_operands operands = {
		.type = WV_ONELINER_WATCH, .least = 1, .most = 1,
	};

	return wv_oneliner_run(&wv_cmd_watch, &operands, argc, argv, error);
}

const struct wv_cmd wv_cmd_watch = {
	.name = "watch",
	.run = run,
	.summary = "a line for each write of a member: who, from what, to what, where",
	.usage = "[options] STRUCT.MEMBER[ KINDS] [-- COMMAND...]",
	.options = known,
	.operands = { WV_COMPLETE_POINTCUT },
	.dashes_program = true,
	.notes = "A line: seconds since boot, comm[thread], struct, object, member, old -> new\n"
		 "value, FUNCTION+OFFSET (FILE:LINE), kind. KINDS are set and rmw; by default\n"
		 "both. A write whose object or value cannot be found has no line; how many\n"
		 "such there are is printed first.\n"
		 WV_ONELINER_NOTES,
	.examples = "# Who changes an inode's state, from what to what?\n"
		    "weft watch 'inode.i_state set|rmw' --hex\n"
		    "# A socket's states, with who had called.\n"
		    "weft watch sock.sk_state --stack -- curl -s localhost\n"
		    "# Only where the value becomes another one.\n"
		    "weft watch task_struct.static_prio --changed -- nice -n 5 true\n",
};
