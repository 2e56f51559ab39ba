/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows that a command's options are: what parses them is also what `weft help`, the man pages and a shell's completion
 * say of them. A row tells where in the command's own struct the value goes, so that none is known to but one of these.
 */
#ifndef WV_OPTIONS_H
#define WV_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"

struct wv_cmd;

/* What a value or an operand is, for whoever completes it. */
enum wv_completion {
	WV_COMPLETE_NONE, /* nothing more is expected */
	WV_COMPLETE_ANY,
	WV_COMPLETE_FILE,
	WV_COMPLETE_FOLDER,
	WV_COMPLETE_IMAGE,	      /* a vmlinux or a module */
	WV_COMPLETE_DATABASE,
	WV_COMPLETE_ASPECT_FILE, /* .xml */
	WV_COMPLETE_ASPECT,      /* .xml or .ko */
	WV_COMPLETE_WOVEN,	      /* the name of an aspect in the kernel */
	WV_COMPLETE_POINTCUT,    /* as on the command line, or an aspect's file */
	WV_COMPLETE_KINDS,
	WV_COMPLETE_SOURCE,      /* a source file of the database */
	WV_COMPLETE_WITHIN,      /* a function or source file of the database */
	WV_COMPLETE_COMMAND,     /* of weft */
	WV_COMPLETE_PROGRAM,     /* a command of the system, with its arguments */
};

enum wv_option_type {
	WV_OPTION_FLAG,	      /* bool */
	WV_OPTION_TEXT,	      /* const char *, as it was written */
	WV_OPTION_MAYBE_TEXT, /* const char *, "" where no value is given */
	WV_OPTION_NUMBER,     /* size_t, decimal */
	WV_OPTION_TIME,	      /* uint64_t, nanoseconds: base/duration.h */
};

struct wv_option {
	const char *name; /* without the dashes; NULL ends the rows */
	char letter;	  /* or 0 */
	enum wv_option_type type;
	size_t offset;	   /* of the value, in the command's struct */
	const char *value; /* what the help calls it: "FILE" */
	enum wv_completion completes;
	const char *help; /* one sentence, of any length; \n begins a new line */
};

/* offsetof(), of a member that has to be of this type. */
#define WV_OPTION_AT(type, member, wanted)                                                       \
	(offsetof(type, member) +                                                                \
	 0 * sizeof(char[__builtin_types_compatible_p(__typeof__(((type *)0)->member), wanted) ? 1 : -1]))

/* The rows. @letter is 0 where there is none. */
#define WV_FLAG(type, member, name, letter, help)                                                \
	{ name, letter, WV_OPTION_FLAG, WV_OPTION_AT(type, member, bool), NULL, WV_COMPLETE_NONE, help }
#define WV_TEXT(type, member, name, letter, value, completes, help)                              \
	{ name, letter, WV_OPTION_TEXT, WV_OPTION_AT(type, member, const char *), value, completes, help }
#define WV_MAYBE_TEXT(type, member, name, letter, value, completes, help)                        \
	{ name, letter, WV_OPTION_MAYBE_TEXT, WV_OPTION_AT(type, member, const char *), value, completes, help }
#define WV_NUMBER(type, member, name, letter, value, help)                                       \
	{ name, letter, WV_OPTION_NUMBER, WV_OPTION_AT(type, member, size_t), value, WV_COMPLETE_ANY, help }
#define WV_TIME(type, member, name, letter, help)                                                \
	{ name, letter, WV_OPTION_TIME, WV_OPTION_AT(type, member, uint64_t), "TIME", WV_COMPLETE_ANY, help }

/*
 * Puts the options of argv[1..] into @options, the command's struct, whose other members and defaults stay as they are.
 * Operands go to the end of @argv; *@first_ret is the first one. -WV_E_USAGE also for an option that comes twice:
 * of two databases or two outputs one is a slip, and nobody can tell which.
 */
int wv_options_parse(const struct wv_cmd *cmd, int argc, char **argv, void *options, int *first_ret,
		     struct wv_error *error);

/* Whether @argv asks for the command's help. */
bool wv_options_want_help(const struct wv_cmd *cmd, int argc, char **argv);

/* The row that @text ("--name", "--name=value", "-l") names, or NULL. */
const struct wv_option *wv_option_find(const struct wv_cmd *cmd, const char *text);

/* Whether an argument is an aspect's file, not a pointcut. */
bool wv_is_aspect_file(const char *text);

/* Everything that a command has to say, to standard output. */
int wv_print(const struct wv_str *out, struct wv_error *error);

#endif /* WV_OPTIONS_H */
