/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options that limit advice to hits of a process, of a user or of a program name, for `weave`,
 * `run` and other commands that weave.
 */
#ifndef WV_FILTER_OPTIONS_H
#define WV_FILTER_OPTIONS_H

#include "runtime/abi.h"
#include "cmds/option-row.h"

struct wv_filter_options {
	size_t pid, uid; /* the numbers given; WV_ANYBODY: the option was not given */
	const char *comm; /* the name given; NULL: the option was not given */
};

#define WV_ANYBODY ((size_t)-1)

/* Initial value of struct wv_filter_options, for use before the command line is parsed. */
#define WV_FILTER_DEFAULTS { .pid = WV_ANYBODY, .uid = WV_ANYBODY }

/*
 * The option rows of commands that take a filter. @type is the struct of the command's options. @in
 * says where in @type its struct wv_filter_options is: the name of the member, and a dot, such as
 * "filter.".
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
 * Sets @ret to the filter of the options; if none was given, ret->asks is 0. Returns -WV_E_USAGE
 * for a wrong value. @command is the command's name, for the message.
 */
int wv_filter_of_options(const struct wv_filter_options *options, const char *command,
			 struct weft_filter *ret, struct wv_error *error);

#endif /* WV_FILTER_OPTIONS_H */
