// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `weft record`: weaves an aspect for as long as a command runs, or for a time, and writes the
 * aspect's records to a recording. A one-liner that writes records can be recorded as well: then
 * `weft record` runs the one-liner with its option --record.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/vec.h"
#include "cmds/aspect-module.h"
#include "cmds/buffer-option.h"
#include "cmds/cmd.h"
#include "cmds/commands.h"
#include "cmds/filter-options.h"
#include "cmds/limit-options.h"
#include "cmds/options.h"
#include "cmds/run-session.h"

#define DEFAULT_OUTPUT "weft.ctf"

struct options {
	struct wv_module_options module;
	const char *output, *buffer;
	uint64_t lasts;
	struct wv_filter_options filter;
	struct wv_limit_options limits;
	bool own, quiet;
};

#define DEFAULTS                                                            \
	{                                                                   \
		.module = WV_MODULE_DEFAULTS, .filter = WV_FILTER_DEFAULTS, \
		.output = DEFAULT_OUTPUT                                    \
	}

static const struct wv_option known[] = {
	WV_TEXT(struct options, output, "output", 'o', "FOLDER", WV_COMPLETE_FILE,
		"the recording, a folder that is made (default: " DEFAULT_OUTPUT ")"),
	WV_TEXT(struct options, buffer, "buffer", 0, "SIZE", WV_COMPLETE_ANY,
		"the size of each CPU's buffer, 4K to 64M (default: 4M, less with many CPUs)"),
	WV_TIME(struct options, lasts, "for", 0, "for that long, instead of until ^C: 10s, 500ms"),
	WV_OWN_OPTION(struct options),
	WV_FLAG(struct options, quiet, "quiet", 'q',
		"of what goes to standard error only what is wrong"),
	WV_FILTER_OPTIONS(struct options, filter.),
	WV_LIMIT_OPTIONS(struct options, limits.),
	WV_MODULE_OPTIONS(struct options, module.),
	{ 0 }
};

/* ---- recording a one-liner ------------------------------------------------------------------- */

/* Returns the one-liner @name; NULL: no one-liner has this name. */
static const struct wv_cmd *oneliner(const char *name)
{
	static const struct wv_cmd *const all[] = { &wv_cmd_log,  &wv_cmd_watch, &wv_cmd_count,
						    &wv_cmd_hist, &wv_cmd_time,	 &wv_cmd_stacks };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (!strcmp(all[i]->name, name))
			return all[i];
	return NULL;
}

/*
 * Returns whether an option was given that the one-liner has, too. Such an option belongs after the
 * one-liner's name.
 */
static bool has_others(const struct options *options)
{
	const struct options plain = DEFAULTS;
	const struct wv_module_options *module = &options->module;

	return options->filter.pid != plain.filter.pid || options->filter.uid != plain.filter.uid ||
	       options->filter.comm || options->limits.budget || options->limits.share ||
	       module->what.kernel || module->what.db || module->what.modules ||
	       module->what.kmod || module->what.runtime || module->what.sign_key ||
	       module->what.sign_certificate || module->what.limit != plain.module.what.limit ||
	       module->verbose;
}

struct words {
	WV_VEC(char *) list;
};

static void add_word(struct words *words, const char *word, bool *failed)
{
	char **added = wv_vec_push(&words->list);

	*failed |= !added;
	if (added)
		*added = (char *)word;
}

/*
 * Runs `weft NAME --record FOLDER ...` with the operands of the one-liner @cmd. Returns -WV_E_USAGE
 * for a one-liner that writes no records.
 */
static int run_oneliner(const struct wv_cmd *cmd, const struct options *options, int argc,
			char **argv, struct wv_error *error)
{
	struct words words = { 0 };
	bool failed = false;
	char lasts[32];
	int err;

	if (cmd != &wv_cmd_log && cmd != &wv_cmd_watch)
		return wv_usage(error, "record",
				"weft %s counts in the kernel and writes no records: there is "
				"nothing to record",
				cmd->name);
	if (has_others(options))
		return wv_usage(error, "record", "write the options of weft %s after '%s'",
				cmd->name, cmd->name);
	add_word(&words, cmd->name, &failed);
	add_word(&words, "--record", &failed);
	add_word(&words, options->output, &failed);
	if (options->buffer) {
		add_word(&words, "--buffer", &failed);
		add_word(&words, options->buffer, &failed);
	}
	if (options->lasts) {
		snprintf(lasts, sizeof(lasts), "%" PRIu64 "ns", options->lasts);
		add_word(&words, "--for", &failed);
		add_word(&words, lasts, &failed);
	}
	if (options->own)
		add_word(&words, "--own", &failed);
	if (options->quiet)
		add_word(&words, "--quiet", &failed);
	for (int i = 1; i < argc; i++)
		add_word(&words, argv[i], &failed);
	add_word(&words, NULL, &failed);
	err = failed ? wv_no_memory(error)
		     : cmd->run((int)words.list.n - 1, words.list.data, error);
	wv_vec_deinit(&words.list);
	return err;
}

/* ---- recording an aspect --------------------------------------------------------------------- */

/*
 * Fills @session from the options. With --own, only hits of the descendants of this process are
 * recorded, which are the command and the processes that it starts.
 */
static int make_session(const struct options *options, char **command, struct wv_session *session,
			struct wv_error *error)
{
	int err = wv_filter_of_options(&options->filter, "record", &session->how.filter, error);

	if (!err)
		err = wv_limits_of_options(&options->limits, "record", &session->how.budget,
					   &session->how.share, error);
	if (!err && options->buffer)
		err = wv_buffer_of_option(options->buffer, "record", &session->buffer, error);
	if (err)
		return err;
	if (*command && options->lasts)
		return wv_usage(error, "record",
				"--for and a command exclude each other: both set when it ends");
	if (options->own && (!*command || session->how.filter.asks & WEFT_FILTER_PID))
		return wv_usage(error, "record",
				*command ? "--own and --pid exclude each other: both choose whose "
					   "hits count"
					 : "--own needs a command, after --");
	if (options->own) {
		session->how.filter.asks |= WEFT_FILTER_BELOW;
		session->how.filter.pid = (uint32_t)getpid();
	}
	session->recording = options->output;
	session->command = command;
	session->until = *command ? WV_UNTIL_COMMAND : WV_UNTIL_SIGNAL;
	session->lasts = options->lasts;
	session->verbose = options->module.verbose;
	session->quiet = options->quiet;
	return 0;
}

static int run_aspect(struct options *options, const char *named, char **command,
		      struct wv_error *error)
{
	struct wv_session session = { .how.bound = true, .given = !wv_is_aspect_source(named) };
	_cleanup_str_ struct wv_str text = { 0 };
	int status = 0, err = make_session(options, command, &session, error);
	char cached[PATH_MAX];
	size_t count;

	if (err)
		return err;
	options->module.quiet = options->quiet;
	options->module.what.filtered = session.how.filter.asks;
	if (!session.given) {
		err = wv_module_take(&options->module, named, &text, error);
		if (!err)
			err = wv_module_complete(&options->module, "record", error);
		if (!err)
			err = wv_module_cached(&options->module, cached, &count, error);
	}
	if (!err)
		err = wv_session_run(&session, session.given ? named : cached, &status, error);
	return err ? err : status;
}

static int run(int argc, char **argv, struct wv_error *error)
{
	struct options options = DEFAULTS;
	const struct wv_cmd *cmd;
	const char *named;
	int first, err = wv_options_parse(&wv_cmd_record, argc, argv, &options, &first, error);

	if (err)
		return err;
	if (first == argc)
		return wv_usage(error, "record",
				"name an aspect (.xml), an aspect module (.ko) or a one-liner");
	named = argv[first];
	cmd = oneliner(named);
	if (cmd)
		return run_oneliner(cmd, &options, argc - first, argv + first, error);
	if (++first < argc && !strcmp(argv[first], "--"))
		first++;
	return run_aspect(&options, named, argv + first, error);
}

const struct wv_cmd wv_cmd_record = {
	.name = "record",
	.run = run,
	.summary = "write the records of an aspect to a recording, a trace that CTF tools open",
	.usage = "[options] ASPECT.xml|ASPECT.ko|-|ONE-LINER [-- COMMAND...]",
	.options = known,
	.operands = { WV_COMPLETE_ASPECT, WV_COMPLETE_PROGRAM },
	.program_follows = true,
	.notes =
		"Weaves the aspect, or the one-liner (`log` or `watch`, with its own options after "
		"it), until the command\n"
		"ends, --for is over, or ^C. Records go from the kernel's buffers to the folder as "
		"they are; no text is made.\n"
		"`weft read FOLDER` shows them, on any machine. The folder is a trace of the "
		"Common "
		"Trace Format 1.8:\n"
		"babeltrace2 and Trace Compass open it. Only its owner can read it: it has the "
		"kernel's pointers.\n"
		"\n"
		"While the disk is full, records stay in the kernel, and are lost when its buffer "
		"is full. What is lost is\n"
		"counted, in the recording and at the end. The exit status is the command's.\n",
	.examples = "weft record -o skb.ctf log_skb_destructor.xml -- curl example.org\n"
		    "weft record --for 10s --buffer 16M log vfs_unlink '%pd' '$arg3'\n"
		    "weft read skb.ctf\n"
		    "babeltrace2 skb.ctf\n",
};
