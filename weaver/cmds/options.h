/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses a command line by the rows of its command (option-row.h). */
#ifndef WV_OPTIONS_H
#define WV_OPTIONS_H

#include <stdbool.h>

#include "base/error.h"
#include "cmds/cmd.h"

/*
 * Stores the options of argv[1..] in @options, the command's struct; members without an option keep
 * their values. Operands are moved to the end of @argv; *@first_ret is the index of the first.
 * -WV_E_USAGE also for an option that is given twice: of two databases or two outputs one is a
 * mistake, and it is unknown which.
 */
int wv_options_parse(const struct wv_cmd *cmd, int argc, char **argv, void *options, int *first_ret,
		     struct wv_error *error);

/* Whether @argv asks for the command's help. */
bool wv_options_want_help(const struct wv_cmd *cmd, int argc, char **argv);

/* The row that @text ("--name", "--name=value", "-l") names, or NULL. */
const struct wv_option *wv_option_find(const struct wv_cmd *cmd, const char *text);

#endif /* WV_OPTIONS_H */
