/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options of `weave` and `run` that limit advice to hits of a process, a user or a program
 * name.
 */
#ifndef WV_FILTER_OPTIONS_H
#define WV_FILTER_OPTIONS_H

#include "runtime/abi.h"
#include "cmds/option-row.h"

struct wv_filter_options {
	size_t pid, uid; /* the numbers given; WV_ANYBODY: the option was not given */
	const char *comm;
};

#define WV_ANYBODY ((size_t)-1)

/* Initial value of struct wv_filter_options, for use before the command line is parsed. */
#define WV_FILTER_DEFAULTS { .pid = WV_ANYBODY, .uid = WV_ANYBODY }

/*
 * The option rows of commands that take a filter. @type: the struct of the command's options. @in:
 * the path from @type to its struct wv_filter_options, with a dot at its end, such as "filter.".
 */
#define WV_FILTER_OPTIONS(type, in)                                                          \
	WV_NUMBER(type, in pid, "pid", 'p', "N", "only hits of process N, all its threads"), \
		WV_TEXT(type, in comm, "comm", 0, "NAME", WV_COMPLETE_ANY,                   \
			"only hits of tasks of that name, as `ps -o comm` shows it"),        \
		WV_NUMBER(type, in uid, "uid", 0, "N", "only hits of user number N")

/*
 * The row of the option --own, for commands that run another program. @type, the struct of the
 * command's options, must have the member `bool own`.
 */
#define WV_OWN_OPTION(type)                                                                        \
	WV_FLAG(type, own, "own", 0,                                                               \
		"only hits of the command and of the processes that it starts, as long as their "  \
		"parents live")

/*
 * Makes the filter; if no option was given, @ret->asks is 0. Returns -WV_E_USAGE for a wrong value;
 * the message has the name @command.
 */
int wv_filter_of_options(const struct wv_filter_options *options, const char *command,
			 struct weft_filter *ret, struct wv_error *error);

#endif /* WV_FILTER_OPTIONS_H */
