// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs a one-liner, from the command line to its report; see oneliner-cmd.h. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/notation.h"
#include "cmds/oneliner-cmd.h"
#include "cmds/buffer-option.h"
#include "cmds/options.h"
#include "cmds/run-session.h"
#include "database/db.h"
#include "database/pointcut.h"
#include "database/wildcard.h"

struct oneliner {
	const struct wv_cmd *cmd;
	struct wv_oneliner_options options;
	struct wv_str by; /* all values of --by in one text, with commas between */
	struct wv_oneliner_made made;
	char **command; /* the words after "--"; *command is NULL if there is no command */
};

static int take_operands(struct oneliner *line, const struct wv_oneliner_operands *operands, int n,
			 char **given, struct wv_error *error)
{
	struct wv_oneliner *asked = &line->options.asked;
	const char *name = line->cmd->name;
	int points = n < operands->most ? n : operands->most;

	if (n < operands->least)
		return wv_usage(error, name, "which pointcut? as in: weft %s vfs_read", name);
	for (int i = 0; i < points; i++)
		asked->points[i] = given[i];
	if (operands->format && n > points) {
		asked->format = given[points];
		asked->arguments = given + points + 1;
		asked->nr_arguments = n - points - 1;
	} else if (n > points) {
		return wv_usage(error, name,
				"unexpected argument '%s'; kinds are one word with their member "
				"('sock.sk_state set'), a command comes after --",
				given[points]);
	}
	return 0;
}

static int join_keys(struct oneliner *line, struct wv_error *error)
{
	const struct wv_texts *by = &line->options.by;

	for (size_t i = 0; i < by->n; i++)
		wv_str_addf(&line->by, "%s%s", i ? ", " : "", by->text[i]);
	line->options.asked.by = line->by.data;
	return line->by.failed ? wv_no_memory(error) : 0;
}

static int check(const struct oneliner *line, struct wv_error *error)
{
	const struct wv_oneliner_options *options = &line->options;

	if (*line->command && options->lasts)
		return wv_usage(error, line->cmd->name,
				"--for and a command exclude each other: both set when it ends");
	if (*line->command && options->watch)
		return wv_usage(error, line->cmd->name,
				"--watch and a command exclude each other: both want the terminal");
	if (options->watch && (options->json || options->output))
		return wv_usage(error, line->cmd->name,
				"--watch shows tables on the terminal: it has neither --json nor "
				"-o");
	if (!*line->command && options->own)
		return wv_usage(error, line->cmd->name, "--own needs a command, after --");
	if (options->buffer && !options->record)
		return wv_usage(error, line->cmd->name, "--buffer is for --record");
	if (options->record && (options->json || options->output || options->html))
		return wv_usage(error, line->cmd->name,
				"a recording is read with weft read: --record has neither --json, "
				"--html nor -o");
	if (options->own && options->asked.pid)
		return wv_usage(error, line->cmd->name,
				"--own and --pid exclude each other: both choose whose hits count");
	return 0;
}

/*
 * If a function is inlined somewhere, prints how many inlined instances the one-liner leaves out.
 */
static void note_inlined(const struct oneliner *line)
{
	struct wv_pointcut pointcut = { .type = WV_POINTCUT_ENTRY, .inlined = true,
					.only_inlined = true,
					.symbol = (char *)line->made.inlined };
	struct wv_matches matches;
	struct wv_error error;
	struct wv_db *db;

	if (!line->made.inlined[0] || line->options.quiet ||
	    wv_db_open(line->options.module.what.db, &db, &error))
		return;
	if (!wv_db_query_like(db, &pointcut, &matches, &error)) {
		if (matches.list.n)
			fprintf(stderr, "note: %s of %s left out: they %s\n",
				wv_count_text(matches.list.n, "inlined instance").text,
				line->made.inlined, line->made.why);
		wv_matches_deinit(&matches);
	}
	wv_db_close(db);
}

/*
 * If the error's location is in the generated aspect, adds to the message how the user can see this
 * aspect. Returns @err or the same code.
 */
static int point_to_aspect(struct wv_error *error, int err)
{
	const struct wv_error plain = *error;

	if (err != -WV_E_ASPECT && err != -WV_E_ADVICE)
		return err;
	return wv_fail_at(error, plain.code, plain.file, plain.line, plain.column,
			  "%s (--xml shows the aspect)", plain.message);
}

static int run(struct oneliner *line, struct wv_error *error)
{
	struct wv_oneliner_options *options = &line->options;
	struct wv_session session = {
		.how.bound = true, .command = line->command, .lasts = options->lasts,
		.until = *line->command ? WV_UNTIL_COMMAND : WV_UNTIL_SIGNAL,
		.output = options->output, .aside = true, .bare = true, .quiet = options->quiet,
		.brief = !options->module.verbose, .verbose = options->module.verbose,
		.json = options->json, .sort = options->sort, .top = options->top,
		.watch = options->watch, .open = options->open,
		.changes = options->asked.type == WV_ONELINER_WATCH,
		.recording = options->record,
	};
	char path[PATH_MAX];
	int status, err;
	size_t count;

	if (options->buffer) {
		err = wv_buffer_of_option(options->buffer, line->cmd->name, &session.buffer, error);
		if (err)
			return err;
	}
	if (options->own) {
		session.how.filter.asks = WEFT_FILTER_BELOW;
		session.how.filter.pid = getpid();
	}
	options->module.what.aspect = line->made.file;
	options->module.what.text = &line->made.xml;
	options->module.what.filtered = session.how.filter.asks;
	options->module.brief = true;
	options->module.quiet = options->quiet;
	err = wv_module_complete(&options->module, line->cmd->name, error);
	if (err)
		return err;
	session.page = (struct wv_page_wanted){ .path = options->html, .xml = line->made.xml.data,
						.tree = options->module.what.kernel,
						.command = line->command };
	err = wv_module_cached(&options->module, path, &count, error);
	if (err)
		return point_to_aspect(error, err);
	note_inlined(line);
	err = wv_session_run(&session, path, &status, error);
	return err ? err : status;
}

static int make_and_run(struct oneliner *line, struct wv_error *error)
{
	int err = wv_oneliner_make(&line->options.asked, &line->made, error);

	if (err == -WV_E_USAGE) {
		const struct wv_error plain = *error;

		return wv_usage(error, line->cmd->name, "%s", plain.message);
	}
	if (!err)
		err = line->options.xml ? wv_print(&line->made.xml, error) : run(line, error);
	wv_oneliner_made_deinit(&line->made);
	return err;
}

int wv_oneliner_run(const struct wv_cmd *cmd, const struct wv_oneliner_operands *operands, int argc,
		    char **argv, struct wv_error *error)
{
	struct oneliner line = { .cmd = cmd, .options.module = WV_MODULE_DEFAULTS };
	const int n = wv_split_at_dashes(argc, argv, &line.command);
	int first, err;

	line.options.asked.type = operands->type;
	err = wv_options_parse(cmd, n, argv, &line.options, &first, error);
	if (!err)
		err = join_keys(&line, error);
	if (!err)
		err = take_operands(&line, operands, n - first, argv + first, error);
	if (!err)
		err = check(&line, error);
	if (!err)
		err = make_and_run(&line, error);
	wv_str_deinit(&line.by);
	return err;
}
