/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The subcommands of `weft`. Each subcommand has a file with a struct wv_cmd that describes it;
 * commands.h has the table of these structs. The command line is parsed by them, and `weft help`,
 * man pages and completion are made from them. Of all rooms of the weaver, only cmds/ prints.
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
	 * Runs the command. Returns 0; or a negative enum wv_code with @error filled: main() then
	 * prints @error, and exits with the absolute value of the code; or a positive number, the
	 * exit status of another program, with which main() then exits without a message.
	 */
	int (*run)(int argc, char **argv, struct wv_error *error);
	const char *summary; /* one line of text for `weft help` */
	const char *usage;   /* the text after `weft NAME ` on the command line */
	const struct wv_option *options;
	/* types of the operands, for completion; WV_COMPLETE_NONE ends the list */
	enum wv_completion operands[WV_OPERANDS_MAX + 1];
	bool more;	      /* the last operand may be repeated */
	bool program_follows; /* another program's command line follows the first operand */
	bool dashes_program;  /* another program's command line follows "--" */
	/*
	 * Paragraphs for `weft help`, each line with its newline; .intro comes before .notes. Lines
	 * that begin with two blanks are kept as they are. If .list is not NULL, it appends the
	 * text between .intro and .notes.
	 */
	const char *intro, *notes;
	void (*list)(struct wv_str *out);
	/*
	 * examples: command lines, each with its newline; a line "# WHAT" before one says what the
	 * example shows
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

/* Returns whether @text names an aspect's file (.xml). If not, @text is a pointcut. */
bool wv_is_aspect_file(const char *text);

/* Writes @out, all of a command's output, to standard output. */
int wv_print(const struct wv_str *out, struct wv_error *error);

#endif /* WV_CMD_H */
