/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses a command line by the rows of its command (option-row.h). */
#ifndef WV_OPTIONS_H
#define WV_OPTIONS_H

#include <stdbool.h>

#include "base/error.h"
#include "cmds/cmd.h"

/*
 * Parses argv[1..] and stores the values in @options, the command's struct. Members whose option is
 * not given keep their values. Moves the operands to the end of @argv, and sets *@first_ret to the
 * index of the first one. Returns -WV_E_USAGE for a wrong command line. A command line is also
 * wrong if an option with a value is given twice, because it is not known which of the two values
 * is meant. (An option of type WV_OPTION_TEXTS may be given several times.)
 */
int wv_options_parse(const struct wv_cmd *cmd, int argc, char **argv, void *options, int *first_ret,
		     struct wv_error *error);

/*
 * Finds the "--" after which another program's command line begins. Returns the number of words
 * before the "--", and sets *@command_ret to that command line; **@command_ret is NULL if there is
 * none.
 */
int wv_split_at_dashes(int argc, char **argv, char ***command_ret);

/* Returns whether @argv contains --help or -h as an option of the command. */
bool wv_options_want_help(const struct wv_cmd *cmd, int argc, char **argv);

/* Returns the row that @text names ("--name", "--name=value" or "-l"); NULL if there is none. */
const struct wv_option *wv_option_find(const struct wv_cmd *cmd, const char *text);

#endif /* WV_OPTIONS_H */
