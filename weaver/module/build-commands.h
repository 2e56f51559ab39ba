/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The commands of a build, as words: read from the files .NAME.cmd in which kbuild notes by which
 * command it has made a file. Only what can be run without a shell is accepted.
 */
#ifndef WV_BUILD_COMMANDS_H
#define WV_BUILD_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/vec.h"

/* One program with its arguments. */
struct wv_command {
	WV_VEC(char *) words; /* heap strings, freed by wv_command_deinit(); no NULL at the end */
	bool piped;	      /* true: its output is the next command's input */
};

typedef WV_VEC(struct wv_command) wv_commands;

void wv_command_deinit(struct wv_command *command);
void wv_commands_deinit(wv_commands *commands);

/* Adds a copy of @word to the end of the command. */
int wv_command_add(struct wv_command *command, const char *word, struct wv_error *error);

/*
 * Parses @line, a command line of a shell, and adds its commands to @ret. The commands `true` and
 * `:` are left out. @line may have quotes, and commands may be separated by ;, && or |. Returns
 * -WV_E_FORMAT if @line has other syntax of the shell.
 */
int wv_commands_parse(const char *line, wv_commands *ret, struct wv_error *error);

/*
 * Reads the file @path, a .NAME.cmd of kbuild, and adds its commands to @ret. Returns -WV_E_FORMAT
 * if there is no such file, or if it has no command that can be parsed.
 */
int wv_commands_read(const char *path, wv_commands *ret, struct wv_error *error);

/* Returns whether the two lists have the same commands, with the same words. */
bool wv_commands_equal(const wv_commands *left, const wv_commands *right);

#endif /* WV_BUILD_COMMANDS_H */
