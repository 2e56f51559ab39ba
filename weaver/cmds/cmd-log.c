// SPDX-License-Identifier: GPL-2.0-or-later
/* `weft log`: prints a line for each hit. oneliner-cmd.c does the work. */
#include "cmds/oneliner-cmd.h"

static const struct wv_option known[] = {
	WV_ONELINER_RECORD,
	WV_ONELINER_OPTIONS,
};

static int run(int argc, char **argv, struct wv_error *error)
{
	static const struct wv_oneliner_operands operands = {
		.type = WV_ONELINER_LOG, .least = 1, .most = 1, .format = true,
	};

	return wv_oneliner_run(&wv_cmd_log, &operands, argc, argv, error);
}

const struct wv_cmd wv_cmd_log = {
	.name = "log",
	.run = run,
	.summary = "a line for each hit of a pointcut, as a format says",
	.usage = "[options] POINTCUT [FORMAT [C...]] [-- COMMAND...]",
	.options = known,
	.operands = { WV_COMPLETE_POINTCUT },
	.dashes_program = true,
	.notes = "FORMAT is printk's (%d, %p, %s, %ps for a function's name); for each of its\n"
		 "values there is an expression in C. Write a value that begins with - in\n"
		 "brackets: '(-1)'.\n"
		 WV_ONELINER_NOTES,
	.examples = "# Each state that a socket gets.\n"
		    "weft log 'sock.sk_state set' '%p %d -> %d' '$obj' "
		    "'$field(sk_state)' '$value'\n"
		    "# Which files are removed? %pd prints the name of a dentry.\n"
		    "weft log vfs_unlink '%pd' '$arg3' --for 1min\n"
		    "# Which files does cat open? A parameter by its name, and its member.\n"
		    "weft log do_filp_open '%s' '$(pathname)->name' "
		    "--include linux/fs.h --comm cat\n",
};
