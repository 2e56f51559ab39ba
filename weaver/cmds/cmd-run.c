// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `weft run`: weaves an aspect for as long as a command runs. The aspect is bound to this process:
 * weft.ko unweaves the aspect when the process ends for any reason. Records are read from the
 * kernel while the command runs, and shown after it has ended, so that they do not mix with the
 * command's output. With --pending the command may be left out: then the aspect is woven until the
 * modules that it waits for have been loaded.
 */
#include <string.h>
#include <unistd.h>

#include "base/whole-file.h"
#include "cmds/aspect-module.h"
#include "cmds/cmd.h"
#include "cmds/live-view.h"
#include "cmds/options.h"
#include "cmds/run-session.h"
#include "cmds/filter-options.h"
#include "cmds/limit-options.h"

struct options {
	struct wv_module_options module;
	const char *output, *html;
	struct wv_filter_options filter;
	struct wv_limit_options limits;
	const char *sort;
	size_t top;
	bool own, pending, quiet, json;
};

static const struct wv_option known[] = {
	WV_FLAG(struct options, pending, "pending", 0,
		"modules that are not loaded are woven when they are, before their init runs; "
		"without COMMAND, until they are loaded"),
	WV_TEXT(struct options, output, "output", 'o', "FILE", WV_COMPLETE_FILE,
		"write the records and the report of the metrics to FILE (default: to standard "
		"output, after the command)"),
	WV_FLAG(struct options, json, "json", 'j', "records and metrics as JSON, an object a line"),
	WV_TEXT(struct options, html, "html", 0, "FILE", WV_COMPLETE_FILE,
		"write a page as well, with plots, over time, to FILE"),
	WV_VIEW_OPTIONS(struct options),
	WV_OWN_OPTION(struct options),
	WV_FLAG(struct options, quiet, "quiet", 'q',
		"of what goes to standard error only what is wrong"),
	WV_FILTER_OPTIONS(struct options, filter.),
	WV_LIMIT_OPTIONS(struct options, limits.),
	WV_MODULE_OPTIONS(struct options, module.),
	{ 0 }
};

/*
 * Makes the filter from the options. With --own, only hits of the descendants of this process pass
 * the filter, which are the command and the processes that it starts.
 */
static int make_filter(const struct options *options, struct weft_filter *ret,
		       struct wv_error *error)
{
	int err = wv_filter_of_options(&options->filter, "run", ret, error);

	if (err || !options->own)
		return err;
	if (ret->asks & WEFT_FILTER_PID)
		return wv_usage(error, "run",
				"--own and --pid exclude each other: both choose whose hits count");
	ret->asks |= WEFT_FILTER_BELOW;
	ret->pid = getpid();
	return 0;
}

/*
 * Compiles the aspect @named into the cache, unless the cache has its module, and sets @path to the
 * module's path. If @named is "-", reads the aspect's text from standard input into @text. Also
 * sets @text to the aspect's text if the user wants an HTML page, which shows the text.
 */
static int find_module(struct options *options, const char *named, char path[PATH_MAX],
		       struct wv_str *text, struct wv_error *error)
{
	size_t count;
	int err = wv_module_take(&options->module, named, text, error);

	if (!err && options->html && !options->module.what.text)
		err = wv_whole_file(named, text, error);
	if (!err)
		err = wv_module_complete(&options->module, "run", error);
	return err ? err : wv_module_cached(&options->module, path, &count, error);
}

static int run(int argc, char **argv, struct wv_error *error)
{
	struct options options = { .module = WV_MODULE_DEFAULTS, .filter = WV_FILTER_DEFAULTS };
	struct wv_session session = { .how.bound = true };
	_cleanup_str_ struct wv_str text = { 0 };
	char cached[PATH_MAX];
	const char *path;
	int first, status = 0,
		   err = wv_options_parse(&wv_cmd_run, argc, argv, &options, &first, error);

	if (err)
		return err;
	if (first == argc)
		return wv_usage(error, "run",
				"name an aspect (.xml) or aspect module (.ko), then a command");
	path = argv[first++];
	if (first < argc && !strcmp(argv[first], "--"))
		first++;
	if (first == argc && (!options.pending || options.own))
		return wv_usage(error, "run",
				"no command: write it after the aspect: weft run %s -- COMMAND",
				path);
	session.how.pending = options.pending;
	err = make_filter(&options, &session.how.filter, error);
	if (!err)
		err = wv_limits_of_options(&options.limits, "run", &session.how.budget,
					   &session.how.share, error);
	if (err)
		return err;
	options.module.what.filtered = session.how.filter.asks;
	session.given = !wv_is_aspect_source(path);
	session.output = options.output;
	session.aside = options.output;
	session.json = options.json;
	session.verbose = options.module.verbose;
	session.sort = options.sort;
	session.top = options.top;
	session.quiet = options.module.quiet = options.quiet;
	session.command = argv + first;
	session.until = first == argc ? WV_UNTIL_MODULES : WV_UNTIL_COMMAND;
	if (!session.given)
		err = find_module(&options, path, cached, &text, error);
	session.page = (struct wv_page_wanted){ .path = options.html, .xml = text.data,
						.tree = options.module.what.kernel,
						.command = session.command };
	if (!err)
		err = wv_session_run(&session, session.given ? path : cached, &status, error);
	return err ? err : status;
}

const struct wv_cmd wv_cmd_run = {
	.name = "run",
	.run = run,
	.summary = "weave an aspect while a command runs, and show its records",
	.usage = "[options] ASPECT.xml|ASPECT.ko|- [-- COMMAND...]",
	.options = known,
	.operands = { WV_COMPLETE_ASPECT, WV_COMPLETE_PROGRAM },
	.program_follows = true,
	.notes = "Weaves the aspect, runs the command, unweaves, and prints the records, then the "
		 "report of its metrics; what\n"
		 "weft itself has to say goes to standard error. The exit status is the command's: "
		 "128 + N where signal N\n"
		 "ended it, 127 where it was not found, 126 where it could not be run. Where weft "
		 "itself failed, it is one\n"
		 "of weft's own, with a line on standard error; unless it says otherwise the "
		 "command was not run.\n"
		 "\n"
		 "With - the aspect comes from standard input, which the command does not have "
		 "then.\n"
		 "\n"
		 "With --pending, it prints at the end what became of the aspect in each module, "
		 "and takes no COMMAND: it\n"
		 "ends when the init functions of all of its modules have run. Signal N ends it "
		 "before; the status is 128 + N.\n",
	.examples = "weft run file_position.xml -- ls /\n"
		    "weft run --html page.html file_times.xml -- make\n"
		    "weft count vfs_open --xml | weft run - -- ls /\n"
		    "weft run --pending probe.xml -- modprobe e1000e\n",
};
