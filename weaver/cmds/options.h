/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the commands' command lines have in common. @command is the name after `weft`, for the message's hint. */
#ifndef WEFT_CMDS_OPTIONS_H
#define WEFT_CMDS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/str.h"

/*
 * Sets *@value to @text, an option's argument, unless the option has come before: of two databases or two outputs one is a
 * slip, and nobody can tell which.
 */
int wv_option_once(const char *command, const char *option, const char *text, const char **value,
		   struct wv_error *error);

/* A decimal number. */
int wv_option_number(const char *command, const char *text, size_t *ret, struct wv_error *error);

/* Whether an argument is an aspect's file, not a pointcut. */
bool wv_is_aspect_file(const char *text);

/* Everything that a command has to say, to standard output. */
int wv_print(const struct wv_str *out, struct wv_error *error);

#endif /* WEFT_CMDS_OPTIONS_H */
