// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `weft drill`: shows where a function spends its time, as a tree of the calls that the function
 * makes, directly and indirectly. The command that the user names is run once for each level of the
 * tree; without a command, each run lasts for a time (--for). From the result of a run weft chooses
 * the functions whose calls the next run times, too. The last run times the calls of all levels,
 * and the tree shows the times of this run.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "aspect/oneliner/drill-aspect.h"
#include "base/cleanup.h"
#include "base/notation.h"
#include "base/replace.h"
#include "cmds/aspect-module.h"
#include "cmds/call-sites.h"
#include "cmds/cmd.h"
#include "cmds/options.h"
#include "cmds/run-session.h"
#include "report/drill-tree.h"

enum { DEPTH = 3, LEAST_PERCENT = 5, TOP = 8, FUNCTIONS_MAX = WV_TEXTS_MAX };
#define LEVEL_NS 2000000000ull

struct options {
	struct wv_module_options module;
	struct wv_texts into;
	const char *pid, *comm, *uid, *name, *output, *html;
	size_t depth, least, top;
	uint64_t lasts;
	bool own, xml, json, quiet;
};

struct drilling {
	struct options options;
	const char *function;
	/* the command to run, with NULL at its end; if *command is NULL, there is no command */
	char **command;
	struct wv_call_sites *sites;
	struct wv_oneliner_made made;
	struct wv_drill drill;	 /* result of the last run */
	struct wv_str json;	 /* the same result as JSON */
	int status;		 /* exit status of the last run's command */
	bool interrupted;	 /* a signal has ended the last run early */
};

/* ---- one run of the command ------------------------------------------------------------------ */

static struct wv_drill_facts facts_of(const struct drilling *drilling)
{
	struct wv_drill_facts facts = { .depth = (unsigned int)drilling->options.depth };

	facts.into = wv_call_sites_list(drilling->sites, &facts.n);
	return facts;
}

static int take_woven(void *context, const struct wv_aspect_module *module,
		      const struct wv_summary *summary, struct wv_error *error)
{
	struct drilling *drilling = context;

	wv_call_sites_refused(drilling->sites, module, summary);
	return 0;
}

static int take_counted(void *context, const struct wv_readings *readings, struct wv_error *error)
{
	struct drilling *drilling = context;
	const struct wv_drill_facts facts = facts_of(drilling);
	int failed = wv_drill_read(readings, &facts, &drilling->drill, error);

	if (failed)
		return failed;
	wv_drill_json(&drilling->drill, &facts, &drilling->json);
	return drilling->json.failed ? wv_no_memory(error) : 0;
}

/* Makes the aspect that times the calls in @functions. */
static int make(struct drilling *drilling, const char *const *functions, size_t n,
		struct wv_error *error)
{
	const struct options *options = &drilling->options;
	const struct wv_drill_asked asked = {
		.functions = functions, .n = n, .depth = (unsigned int)options->depth,
		.pid = options->pid, .comm = options->comm, .uid = options->uid,
		.name = options->name,
	};

	wv_oneliner_made_deinit(&drilling->made);
	return wv_drill_make(&asked, &drilling->made, error);
}

static int weave_and_run(struct drilling *drilling, struct wv_error *error)
{
	const struct wv_session_taker taker = { drilling, take_woven, take_counted };
	struct options *options = &drilling->options;
	struct wv_session session = {
		.how.bound = true, .command = drilling->command,
		.lasts = options->lasts ? options->lasts : LEVEL_NS,
		.until = *drilling->command ? WV_UNTIL_COMMAND : WV_UNTIL_SIGNAL,
		.aside = true, .brief = !options->module.verbose,
		.verbose = options->module.verbose, .quiet = options->quiet, .taker = &taker,
		.interrupted_ret = &drilling->interrupted,
	};
	char path[PATH_MAX];
	size_t count;
	int err;

	if (options->own) {
		session.how.filter.asks = WEFT_FILTER_BELOW;
		session.how.filter.pid = getpid();
	}
	options->module.what.aspect = drilling->made.file;
	options->module.what.text = &drilling->made.xml;
	options->module.what.filtered = session.how.filter.asks;
	/* Print no notes about calls that cannot be timed, because the tree lists these calls. */
	options->module.quiet = !options->module.verbose;
	session.page = (struct wv_page_wanted){ .path = options->html,
						.xml = drilling->made.xml.data,
						.tree = options->module.what.kernel,
						.command = drilling->command,
						.drill = &drilling->json };
	wv_drill_deinit(&drilling->drill);
	wv_str_deinit(&drilling->json);
	drilling->json = (struct wv_str){ 0 };
	err = wv_module_cached(&options->module, path, &count, error);
	return err ? err : wv_session_run(&session, path, &drilling->status, error);
}

static int run_once(struct drilling *drilling, struct wv_error *error)
{
	const char *functions[FUNCTIONS_MAX + 1];
	size_t n;
	const struct wv_drill_into *into = wv_call_sites_list(drilling->sites, &n);
	int err;

	for (size_t i = 0; i < n; i++)
		functions[i] = into[i].name;
	if (!drilling->options.quiet && n > 1) {
		fprintf(stderr, "into");
		for (size_t i = 1; i < n; i++)
			fprintf(stderr, "%s %s", i > 1 ? "," : "", functions[i]);
		fprintf(stderr, "\n");
	}
	err = make(drilling, functions, n, error);
	return err ? err : weave_and_run(drilling, error);
}

/* ---- choosing the functions of the next level ------------------------------------------------ */

static bool is_known(const struct drilling *drilling, const char *function)
{
	size_t n;
	const struct wv_drill_into *into = wv_call_sites_list(drilling->sites, &n);

	for (size_t i = 0; i < n; i++)
		if (!strcmp(into[i].name, function))
			return true;
	return false;
}

/*
 * Chooses the functions whose calls the next run times, too. These are the functions of the tree
 * that take at least options->least percent of the time, are not on the last level, and whose calls
 * are not timed yet. Sets *@added_ret to the number of functions that were chosen.
 */
static int choose(struct drilling *drilling, size_t *added_ret, struct wv_error *error)
{
	const struct wv_drill *drill = &drilling->drill;
	const struct options *options = &drilling->options;
	size_t n;

	*added_ret = 0;
	wv_vec_for_each(node, &drill->nodes) {
		struct wv_error ignored;
		int err;

		wv_call_sites_list(drilling->sites, &n);
		if (n > FUNCTIONS_MAX - 1 || node->level >= options->depth ||
		    100 * node->wall < (int64_t)options->least * drill->nodes.data[0].wall ||
		    !node->wall || is_known(drilling, node->function))
			continue;
		err = wv_call_sites_add(drilling->sites, node->function, &ignored);
		/*
		 * -WV_E_NO_MATCH: the function is in a module, another function has the same name,
		 * or no call in the function can be timed. Then the calls in the function are not
		 * timed, which is no error.
		 */
		if (err && err != -WV_E_NO_MATCH) {
			*error = ignored;
			return err;
		}
		*added_ret += !err;
	}
	return 0;
}

/*
 * Returns whether no further run makes sense: the command did not start, or a signal has ended it;
 * or, without a command, a signal has ended the run.
 */
static bool is_over(const struct drilling *drilling)
{
	return drilling->interrupted || (*drilling->command && drilling->status > 125);
}

static int search(struct drilling *drilling, struct wv_error *error)
{
	const struct options *options = &drilling->options;
	size_t added = 1;
	int err = 0;

	for (size_t level = 1; !err && added; level++) {
		const bool last = level == options->depth || options->into.n;

		err = run_once(drilling, error);
		added = 0;
		if (!err && !last && !is_over(drilling))
			err = choose(drilling, &added, error);
	}
	return err;
}

/* ---- the whole command ----------------------------------------------------------------------- */

static int print(const struct drilling *drilling, struct wv_error *error)
{
	const struct options *options = &drilling->options;
	const struct wv_drill_facts facts = facts_of(drilling);
	_cleanup_str_ struct wv_str text = { 0 };
	const struct wv_str *all = options->json ? &drilling->json : &text;
	FILE *out = *drilling->command ? stderr : stdout;

	if (!options->json)
		wv_drill_text(&drilling->drill, &facts, options->top, &text);
	if (text.failed)
		return wv_no_memory(error);
	if (options->output)
		return wv_replace_file(options->output, (const unsigned char *)all->data, all->n,
				       error);
	if (fputs(wv_str_text(all), out) < 0 || fflush(out))
		return wv_fail_errno(error, errno, "what was found cannot be written");
	return 0;
}

/*
 * Prints the aspect that times the drilled function and the functions of --into. Without --into
 * this is the aspect of the first run.
 */
static int print_aspect(struct drilling *drilling, struct wv_error *error)
{
	const struct wv_texts *into = &drilling->options.into;
	const char *functions[1 + WV_TEXTS_MAX] = { drilling->function };
	int err;

	memcpy(functions + 1, into->text, into->n * sizeof(*functions));
	err = make(drilling, functions, 1 + into->n, error);
	return err ? err : wv_print(&drilling->made.xml, error);
}

static int add_functions(struct drilling *drilling, struct wv_error *error)
{
	const struct wv_texts *into = &drilling->options.into;
	int err = wv_call_sites_create(drilling->options.module.what.db, &drilling->sites, error);

	if (!err)
		err = wv_call_sites_add(drilling->sites, drilling->function, error);
	for (size_t i = 0; !err && i < into->n; i++)
		err = wv_call_sites_add(drilling->sites, into->text[i], error);
	return err;
}

static int drill(struct drilling *drilling, struct wv_error *error)
{
	int err = wv_module_complete(&drilling->options.module, "drill", error);

	if (!err)
		err = add_functions(drilling, error);
	if (!err)
		err = search(drilling, error);
	if (!err)
		err = print(drilling, error);
	wv_drill_deinit(&drilling->drill);
	wv_str_deinit(&drilling->json);
	wv_call_sites_destroy(drilling->sites);
	return err ? err : drilling->status;
}

static int check(const struct drilling *drilling, int n, struct wv_error *error)
{
	const struct options *options = &drilling->options;

	if (n != 1)
		return wv_usage(error, "drill",
				n ? "one function at a time; a command comes after --" :
				    "which function? as in: weft drill do_sys_openat2 -- ls");
	if (drilling->function[strcspn(drilling->function, "%+:*? ")])
		return wv_usage(error, "drill", "'%s' is not the name of one function",
				drilling->function);
	if (!options->depth || options->depth > WV_DRILL_DEPTH_MAX)
		return wv_usage(error, "drill", "--depth is 1 to %d", WV_DRILL_DEPTH_MAX);
	if (options->least > 100)
		return wv_usage(error, "drill", "--least is a part in percent: 0 to 100");
	if (*drilling->command && options->lasts)
		return wv_usage(error, "drill",
				"--for and a command exclude each other: both set when a run ends");
	if (!*drilling->command && options->own)
		return wv_usage(error, "drill", "--own needs a command, after --");
	if (options->own && options->pid)
		return wv_usage(error, "drill",
				"--own and --pid exclude each other: both choose whose hits count");
	return 0;
}

static const struct wv_option known[] = {
	WV_NUMBER(struct options, depth, "depth", 0, "N",
		  "of calls below the function, 1 to 8 (default: 3)"),
	WV_NUMBER(struct options, least, "least", 0, "PERCENT",
		  "go into what holds at least so much of the function's time (default: 5)"),
	WV_TEXTS(struct options, into, "into", 0, "FUNCTION", WV_COMPLETE_ANY,
		 "go into this one, and into none that is not named so, in one run; may be given "
		 "again"),
	WV_NUMBER(struct options, top, "top", 0, "N",
		  "show so many calls of each function; 0: all (default: 8)"),
	WV_TEXT(struct options, pid, "pid", 'p', "N", WV_COMPLETE_ANY,
		"only calls by process N, all its threads"),
	WV_TEXT(struct options, comm, "comm", 0, "NAME", WV_COMPLETE_ANY,
		"only calls by tasks of that name"),
	WV_TEXT(struct options, uid, "uid", 0, "N", WV_COMPLETE_ANY, "only calls by user number N"),
	WV_FLAG(struct options, own, "own", 0,
		"only calls by COMMAND and by the processes that it starts"),
	WV_TIME(struct options, lasts, "for", 0, "how long each run lasts (default: 2s)"),
	WV_TEXT(struct options, name, "name", 0, "NAME", WV_COMPLETE_ANY,
		"the aspect's name (default: made of the function's)"),
	WV_FLAG(struct options, xml, "xml", 0,
		"print the aspect of the first run, or of --into, and do nothing else"),
	WV_TEXT(struct options, output, "output", 'o', "FILE", WV_COMPLETE_FILE,
		"write what is found to FILE (default: to standard output; if COMMAND runs to "
		"standard error, after it)"),
	WV_FLAG(struct options, json, "json", 'j', "as JSON, one object"),
	WV_TEXT(struct options, html, "html", 0, "FILE", WV_COMPLETE_FILE,
		"write a page as well, with the calls as an icicle, to FILE"),
	WV_FLAG(struct options, quiet, "quiet", 'q', "beside what is found, only what is wrong"),
	WV_MODULE_OPTIONS(struct options, module.), { 0 }
};

static int run(int argc, char **argv, struct wv_error *error)
{
	struct drilling drilling = {
		.options = { .module = WV_MODULE_DEFAULTS, .depth = DEPTH,
			     .least = LEAST_PERCENT, .top = TOP },
	};
	const int n = wv_split_at_dashes(argc, argv, &drilling.command);
	int first, err = wv_options_parse(&wv_cmd_drill, n, argv, &drilling.options, &first, error);

	if (err)
		return err;
	drilling.function = first < n ? argv[first] : NULL;
	err = check(&drilling, n - first, error);
	if (!err)
		err = drilling.options.xml ? print_aspect(&drilling, error) :
					     drill(&drilling, error);
	wv_oneliner_made_deinit(&drilling.made);
	return err;
}

const struct wv_cmd wv_cmd_drill = {
	.name = "drill",
	.run = run,
	.summary = "where a function spends its time, by the calls below it",
	.usage = "[options] FUNCTION [-- COMMAND...]",
	.options = known,
	.operands = { WV_COMPLETE_POINTCUT },
	.dashes_program = true,
	.notes = "Each run times the function and the calls in it, and goes one level deeper\n"
		 "into those that hold the most time: COMMAND runs again for each level. The tree\n"
		 "is that of the last run, with the time by the clock and the time on a CPU. What\n"
		 "could not be timed is listed; it is in its caller's own time, (itself), as\n"
		 "inlined functions are, and what the measuring takes. ^C ends it with what has\n"
		 "been found.\n",
	.examples = "weft drill do_sys_openat2 -- ls -R /etc\n"
		    "weft drill vfs_read --depth 2 --comm bash --for 5s\n"
		    "weft drill do_sys_openat2 --into do_filp_open --into path_openat -- ls\n",
};
