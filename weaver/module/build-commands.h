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
	WV_VEC(char *) words; /* each is the owner's to free; no NULL at the end */
	bool piped;	      /* its output is the next command's input */
};

typedef WV_VEC(struct wv_command) wv_commands;

void wv_command_deinit(struct wv_command *command);
void wv_commands_deinit(wv_commands *commands);

/* Adds a copy of @word. */
int wv_command_add(struct wv_command *command, const char *word, struct wv_error *error);

/*
 * Adds the commands that the shell would run for @line. Commands `true` and `:` are left out. @line
 * may have quotes, and commands may be separated by ; and &&. -WV_E_FAILURE: it has something else
 * that means something to a shell.
 */
int wv_commands_parse(const char *line, wv_commands *ret, struct wv_error *error);

/*
 * Reads kbuild's file @path and adds its commands. -WV_E_FAILURE: it cannot be read, or is not such
 * a file.
 */
int wv_commands_read(const char *path, wv_commands *ret, struct wv_error *error);

/* Whether the lists are equal, word by word. */
bool wv_commands_equal(const wv_commands *left, const wv_commands *right);

#endif /* WV_BUILD_COMMANDS_H */
