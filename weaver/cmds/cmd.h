/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The subcommands of `weft`. Each has a file, with a struct wv_cmd that describes it; commands.h
 * has the table of them. Parsing, `weft help`, man pages and completion are generated from these
 * structs. Commands call the layers below, and only commands print.
 */
#ifndef WV_CMD_H
#define WV_CMD_H

#include <stdbool.h>

#include "base/error.h"
#include "base/str.h"
#include "cmds/option-row.h"

enum { WV_OPERANDS_MAX = 3 };

struct wv_cmd {
	const char *name;
	/*
	 * Returns 0, or a negative enum wv_code with @error filled: then main() prints @error, and
	 * exits with the absolute value. A positive value is the exit status of another program:
	 * main() exits with it, without a message.
	 */
	int (*run)(int argc, char **argv, struct wv_error *error);
	const char *summary; /* one line of text for `weft help` */
	const char *usage;   /* the text after `weft NAME ` on the command line */
	const struct wv_option *options;
	/* types of the operands, for completion; WV_COMPLETE_NONE ends the list */
	enum wv_completion operands[WV_OPERANDS_MAX + 1];
	bool more;	      /* further operands may follow, of the last one's type */
	bool program_follows; /* another program's command line follows the first operand */
	bool dashes_program;  /* another program's command line follows "--" */
	/*
	 * .intro, .notes: paragraphs for `weft help`, each line with its newline. Lines that begin
	 * with two blanks keep their breaks. .list, if not NULL, appends the text between .intro
	 * and .notes.
	 */
	const char *intro, *notes;
	void (*list)(struct wv_str *out);
	/*
	 * command lines, each with its newline; a line "# WHAT" before a command line says what it
	 * shows
	 */
	const char *examples;
};

extern const struct wv_cmd wv_cmd_index, wv_cmd_prepare, wv_cmd_points, wv_cmd_plan,
	wv_cmd_explain, wv_cmd_diff, wv_cmd_learn, wv_cmd_compile, wv_cmd_weave, wv_cmd_run,
	wv_cmd_record, wv_cmd_unweave, wv_cmd_list, wv_cmd_read, wv_cmd_publish,
	wv_cmd_unpublish, wv_cmd_export,
	wv_cmd_report, wv_cmd_serve, wv_cmd_doctor, wv_cmd_help,
	wv_cmd_count, wv_cmd_hist, wv_cmd_time, wv_cmd_log, wv_cmd_watch, wv_cmd_stacks,
	wv_cmd_drill, wv_cmd_ktrace;

/* Fails with -WV_E_USAGE and "MESSAGE (see `weft help NAME`)", where NAME is @name. */
int wv_usage(struct wv_error *error, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Appends .intro, the output of .list, and .notes, in this order. */
void wv_cmd_notes(const struct wv_cmd *cmd, struct wv_str *out);

/* Returns whether @text names an aspect's file (.xml). False: it is a pointcut. */
bool wv_is_aspect_file(const char *text);

/* Writes @out, all of a command's output, to standard output. */
int wv_print(const struct wv_str *out, struct wv_error *error);

#endif /* WV_CMD_H */
