// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `weft help`: prints the table of commands, or one command and its options, as text for a
 * terminal. man.c and complete.c make man pages and shell completion of the same rows.
 */
#include <stdio.h>
#include <string.h>

#include "cmds/commands.h"
#include "cmds/complete.h"
#include "cmds/cmd-help.h"
#include "cmds/man.h"
#include "cmds/options.h"

/*
 * In characters from the beginning of the line. COLUMN_MAX: where the second column begins at the
 * latest. WIDTH: where the second column ends.
 */
enum { COLUMN_MAX = 26, WIDTH = 92 };

struct options {
	bool man, complete;
};

/*
 * Adds the first column of an option: "  -k, --kind KIND", or "      --keep-c[=FOLDER]" if the
 * option has no letter.
 */
static void add_names(const struct wv_option *row, struct wv_str *out)
{
	if (row->letter)
		wv_str_addf(out, "  -%c, --%s", row->letter, row->name);
	else
		wv_str_addf(out, "      --%s", row->name);
	if (row->type == WV_OPTION_MAYBE_TEXT)
		wv_str_addf(out, "[=%s]", row->value);
	else if (row->value)
		wv_str_addf(out, " %s", row->value);
}

/*
 * Returns where the second column begins, in characters from the beginning of the line: two blanks
 * after the longest text of the first column. Texts with which this would be more than COLUMN_MAX
 * do not count; after these, the second column begins on the next line.
 */
static size_t column_of(const struct wv_option *rows)
{
	size_t column = 0;

	for (; rows->name; rows++) {
		_cleanup_str_ struct wv_str names = { 0 };

		add_names(rows, &names);
		if (names.n + 2 > column && names.n + 2 <= COLUMN_MAX)
			column = names.n + 2;
	}
	return column;
}

/*
 * Adds @text as the second column, which begins at @column and ends at WIDTH, on as many lines as
 * needed. The current line has @at characters already.
 */
static void add_wrapped(const char *text, size_t at, size_t column, struct wv_str *out)
{
	if (at + 2 > column) {
		wv_str_add(out, "\n");
		at = 0;
	}
	wv_str_addf(out, "%*s", (int)(column - at), "");
	at = column;
	while (*text) {
		size_t n = strcspn(text, " \n");

		if (at > column && at + 1 + n > WIDTH) {
			wv_str_addf(out, "\n%*s", (int)column, "");
			at = column;
		}
		wv_str_addf(out, "%s%.*s", at > column ? " " : "", (int)n, text);
		at += n + (at > column);
		text += n;
		text += *text == ' ' || *text == '\n';
	}
	wv_str_add(out, "\n");
}

static void add_option(const struct wv_option *row, size_t column, struct wv_str *out)
{
	_cleanup_str_ struct wv_str names = { 0 };

	add_names(row, &names);
	if (names.failed)
		return;
	wv_str_add(out, names.data);
	add_wrapped(row->help, names.n, column, out);
}

void wv_help_of(const struct wv_cmd *cmd, struct wv_str *out)
{
	size_t column = column_of(cmd->options);
	_cleanup_str_ struct wv_str notes = { 0 };

	wv_str_addf(out, "weft %s: %s\n\nusage: weft %s %s\n\n", cmd->name, cmd->summary, cmd->name,
		    cmd->usage);
	for (const struct wv_option *row = cmd->options; row->name; row++)
		add_option(row, column, out);
	wv_cmd_notes(cmd, &notes);
	out->failed |= notes.failed;
	if (notes.n && !notes.failed)
		wv_str_addf(out, "\n%s", notes.data);
	if (!cmd->examples)
		return;
	wv_str_add(out, "\nExamples:\n");
	for (const char *line = cmd->examples; *line; line = strchr(line, '\n') + 1)
		wv_str_addf(out, "  %.*s\n", (int)strcspn(line, "\n"), line);
}

void wv_help_all(struct wv_str *out)
{
	wv_str_add(out, "usage: weft COMMAND [arguments]\n\n");
	for (const struct wv_cmd *const *cmd = wv_cmds; *cmd; cmd++)
		wv_str_addf(out, "  %-9s %s\n", (*cmd)->name, (*cmd)->summary);
	wv_str_add(
		out,
		"\n`weft help COMMAND` and weft-COMMAND(1) say more; exit codes are in weft(1).\n"
		"`weft --version` shows the version.\n");
}

static const struct wv_option known[] = {
	WV_FLAG(struct options, man, "man", 0, "as a man page: weft help --man points | man -l -"),
	WV_FLAG(struct options, complete, "complete", 0,
		"what can stand in the place of the last argument, for a shell; write -- before "
		"the words"),
	{ 0 }
};

static int run(int argc, char **argv, struct wv_error *error)
{
	_cleanup_str_ struct wv_str out = { 0 };
	struct options options = { 0 };
	const struct wv_cmd *cmd = NULL;
	int first, ret = wv_options_parse(&wv_cmd_help, argc, argv, &options, &first, error);

	if (!ret && options.complete) {
		ret = wv_complete(argc - first, argv + first, &out, error);
		return ret ? ret : wv_print(&out, error);
	}
	if (!ret && first + 1 < argc)
		ret = wv_usage(error, "help", "one command at a time");
	if (ret)
		return ret;
	if (first < argc)
		cmd = wv_cmd_find(argv[first]);
	if (first < argc && !cmd)
		return wv_cmd_unknown(error, argv[first]);
	if (options.man)
		wv_man(cmd, &out);
	else if (cmd)
		wv_help_of(cmd, &out);
	else
		wv_help_all(&out);
	return wv_print(&out, error);
}

const struct wv_cmd wv_cmd_help = {
	.name = "help",
	.run = run,
	.summary = "show a command's arguments",
	.usage = "[options] [COMMAND]",
	.options = known,
	.operands = { WV_COMPLETE_COMMAND },
};
