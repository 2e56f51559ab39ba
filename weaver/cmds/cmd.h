/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The subcommands of `weft`, one row each; main.c holds the table, help and usage come from it. A
 * command parses its own options into a small struct, calls the layers below and is the only place
 * that prints.
 */
#ifndef WEFT_CMDS_CMD_H
#define WEFT_CMDS_CMD_H

#include "base/error.h"

struct wv_cmd {
	const char *name;
	/*
	 * Returns 0 or a negative enum wv_code with @error filled; main prints it and exits with
	 * the code. Positive: the exit status of somebody else's, about which nothing is said.
	 */
	int (*run)(int argc, char **argv, struct wv_error *error);
	const char *summary; /* one line */
	const char *usage;   /* the arguments, as after `weft NAME ` */
	const char *help;    /* the options, a line each, or NULL */
};

/* NULL-terminated by name == NULL. */
extern const struct wv_cmd wv_cmds[];

int wv_cmd_index(int argc, char **argv, struct wv_error *error);
int wv_cmd_points(int argc, char **argv, struct wv_error *error);
int wv_cmd_drift(int argc, char **argv, struct wv_error *error);
int wv_cmd_compile(int argc, char **argv, struct wv_error *error);
int wv_cmd_weave(int argc, char **argv, struct wv_error *error);
int wv_cmd_run(int argc, char **argv, struct wv_error *error);
int wv_cmd_unweave(int argc, char **argv, struct wv_error *error);
int wv_cmd_list(int argc, char **argv, struct wv_error *error);
int wv_cmd_read(int argc, char **argv, struct wv_error *error);
int wv_cmd_doctor(int argc, char **argv, struct wv_error *error);

/* For the table in main.c; each command's file defines its own texts. */
extern const char wv_help_index[], wv_help_points[], wv_help_drift[], wv_help_compile[], wv_help_weave[],
	wv_help_run[], wv_help_unweave[], wv_help_list[], wv_help_read[], wv_help_doctor[];

/* -WV_E_USAGE with "MESSAGE (see `weft help NAME`)". */
int wv_usage(struct wv_error *error, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif /* WEFT_CMDS_CMD_H */
