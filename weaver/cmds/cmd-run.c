// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `weft run`: weaves an aspect for as long as a command runs. The aspect is woven bound to this
 * process: the kernel unweaves it when the process ends for any reason. Records are read from the
 * kernel while the command runs, but shown after it has ended, so that they do not mix with its
 * output. With --pending there may be no command: then it is woven until the modules that it waits
 * for have been loaded.
 */
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "module/module-file.h"
#include "base/cleanup.h"
#include "base/notation.h"
#include "cmds/aspect-module.h"
#include "cmds/cmd.h"
#include "cmds/incomplete.h"
#include "cmds/options.h"
#include "cmds/show-progress.h"
#include "cmds/unseen.h"
#include "cmds/filter-options.h"
#include "cmds/limit-options.h"
#include "live/load-kmod.h"
#include "live/live-parts.h"
#include "live/requests.h"
#include "live/read-metrics.h"
#include "live/once-states.h"
#include "live/apply.h"
#include "report/fault-report.h"
#include "report/summary.h"
#include "report/metrics-report.h"
#include "report/once-report.h"
#include "report/part-report.h"
#include "report/records.h"

struct options {
	struct wv_module_options module;
	const char *output;
	struct wv_filter_options filter;
	struct wv_limit_options limits;
	bool own, pending;
};

enum { BUFFER_SIZE = 256 * 1024, DRAIN_MS = 100, NOT_RUN = 126, NOT_FOUND = 127, BY_SIGNAL = 128 };

struct run {
	const char *name; /* name of the aspect */
	struct wv_device device;
	struct wv_record_printer printer;
	void *buffer;
	FILE *records;
	const struct wv_weave_options *how;
	const char *output; /* file for the records; NULL: they go to standard output at the end */
};

/* Moves all records that the kernel has now to run->records. */
static int drain(struct run *run, struct wv_error *error)
{
	size_t used = 0;
	bool gone;
	int err;

	do {
		err = wv_device_read(&run->device, run->name, run->buffer, BUFFER_SIZE, &used,
				     &gone, error);
		if (!err && used)
			err = wv_records_print(&run->printer, run->records, run->buffer, used,
					       error);
	} while (!err && used);
	return err;
}

/* ---- the command ----------------------------------------------------------------------------- */

/*
 * weft ignores these signals while the command runs. ^C and ^\ send them to the command, too: it
 * decides whether to end, and weft still has to show the records after that.
 */
static const int terminal_signals[] = { SIGINT, SIGQUIT };
/* Sent to weft alone; weft passes them on to the command. */
static const int ending_signals[] = { SIGTERM, SIGHUP };

static int spawn(char **command, const sigset_t *mask, pid_t *ret)
{
	posix_spawnattr_t attributes;
	sigset_t defaults;
	int failed;

	sigemptyset(&defaults);
	for (size_t i = 0; i < 2; i++)
		sigaddset(&defaults, terminal_signals[i]);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigmask(&attributes, mask);
	posix_spawnattr_setsigdefault(&attributes, &defaults);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	failed = posix_spawnp(ret, command[0], NULL, &attributes, command, environ);
	posix_spawnattr_destroy(&attributes);
	return failed;
}

/*
 * Waits until the command has ended, and reads records meanwhile. After an error in that it still
 * waits; the first error is returned.
 */
static int wait_for(struct run *run, pid_t pid, const sigset_t *signals, int *status_ret,
		    struct wv_error *error)
{
	static const struct timespec pause = { .tv_nsec = DRAIN_MS * 1000000L };
	int err = 0;

	while (waitpid(pid, status_ret, WNOHANG) != pid) {
		int signal = sigtimedwait(signals, NULL, &pause);

		if (signal == SIGTERM || signal == SIGHUP)
			kill(pid, signal);
		if (!err)
			err = drain(run, error);
	}
	return err;
}

/*
 * Runs the command. *@status_ret is its exit status as a shell has it in $?, also if it could not
 * be started.
 */
static int run_command(struct run *run, char **command, int *status_ret, struct wv_error *error)
{
	const struct sigaction ignore = { .sa_handler = SIG_IGN };
	struct sigaction usual[2];
	sigset_t signals, before;
	int failed, status = 0, err;
	pid_t pid;

	sigemptyset(&signals);
	sigaddset(&signals, SIGCHLD);
	for (size_t i = 0; i < 2; i++) {
		sigaddset(&signals, ending_signals[i]);
		sigaction(terminal_signals[i], &ignore, &usual[i]);
	}
	sigprocmask(SIG_BLOCK, &signals, &before);
	failed = spawn(command, &before, &pid);
	if (failed) {
		fprintf(stderr, "weft: %s: %s\n", command[0], strerror(failed));
		*status_ret = failed == ENOENT ? NOT_FOUND : NOT_RUN;
		return 0;
	}
	err = wait_for(run, pid, &signals, &status, error);
	for (size_t i = 0; i < 2; i++)
		sigaction(terminal_signals[i], &usual[i], NULL);
	*status_ret = WIFSIGNALED(status) ? BY_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
	return err;
}

/* ---- without a command ----------------------------------------------------------------------- */

/*
 * Waits until the modules are there, and reads records meanwhile. A signal that asks weft to end
 * ends only this: what has been seen by then is shown. *@status_ret: 0, or as a shell has it for
 * that signal.
 */
static int wait_for_modules(struct run *run, int *status_ret, struct wv_error *error)
{
	static const struct timespec pause = { .tv_nsec = DRAIN_MS * 1000000L };
	sigset_t signals, before;
	bool there = false;
	int signal = -1, err = 0;

	sigemptyset(&signals);
	for (size_t i = 0; i < 2; i++) {
		sigaddset(&signals, terminal_signals[i]);
		sigaddset(&signals, ending_signals[i]);
	}
	sigprocmask(SIG_BLOCK, &signals, &before);
	fprintf(stderr, "%s: waiting for its modules to be loaded\n", run->name);
	while (!err && !there && signal < 0) {
		err = wv_modules_are_there(&run->device, run->name, &there, error);
		if (!err && !there)
			signal = sigtimedwait(&signals, NULL, &pause);
		if (!err)
			err = drain(run, error);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	*status_ret = signal < 0 ? 0 : BY_SIGNAL + signal;
	return err;
}

/* What became of the aspect in its modules, while it is still woven. */
static void show_parts(const struct run *run)
{
	_cleanup_str_ struct wv_str text = { 0 };

	wv_parts_text(&run->device, run->name, &text);
	if (text.data)
		fprintf(stderr, "%s, by section:\n%s", run->name, text.data);
}

/* ---- before and after the command ------------------------------------------------------------ */

/*
 * Shows the metrics, if there are any. Their counts are reset then, so that the kernel can forget
 * the aspect.
 */
static int show_metrics(struct run *run, struct wv_error *error)
{
	_cleanup_str_ struct wv_str text = { 0 };
	struct wv_readings readings;
	struct wv_once once;
	int err = wv_readings_get(&run->device, run->name, &readings, error);

	/* An aspect without metrics and records is forgotten as soon as it is unwoven. */
	if (err == -WV_E_STATE)
		return 0;
	if (err)
		return err;
	err = wv_once_get(&run->device, run->name, &once, error);
	wv_metrics_text(&readings, &text);
	wv_once_text(&once, &text);
	if (!err && (readings.list.n || once.list.n))
		err = wv_readings_reset(&run->device, run->name, error);
	wv_once_deinit(&once);
	wv_readings_deinit(&readings);
	if (text.failed)
		return wv_no_memory(error);
	if (text.data && (fputs(text.data, stdout) < 0 || fflush(stdout)))
		return wv_fail_errno(error, errno, "the metrics cannot be written");
	return err;
}

/* Reads the aspect's totals. If the kernel has forgotten the aspect, @ret stays as it was. */
static int read_totals(struct run *run, struct weft_status *ret, struct wv_error *error)
{
	const struct weft_status *status;
	struct wv_statuses statuses;
	int err = wv_device_list(&run->device, &statuses, error);

	if (err)
		return err;
	status = wv_statuses_find(&statuses, run->name);
	if (status)
		*ret = *status;
	wv_statuses_deinit(&statuses);
	return 0;
}

static int unweave(struct run *run, struct wv_unweave_result *ret, struct wv_error *error)
{
	int err;

	wv_progress_begin("unweaving", run->name);
	err = wv_unweave(&run->device, run->name, ret, error);
	wv_progress_end();
	return err;
}

/*
 * Unweaves the aspect, reads the remaining records and prints the totals. The totals are read
 * before and after unweaving: if nothing is left to read of the aspect, the kernel forgets it at
 * once, and the first totals have to do, without the last hits.
 */
static int finish(struct run *run, struct wv_error *error)
{
	_cleanup_str_ struct wv_str dropped = { 0 };
	_cleanup_str_ struct wv_str fault = { 0 };
	struct wv_unweave_result result;
	struct weft_status totals = { 0 };
	int err = read_totals(run, &totals, error);

	wv_fault_text(&run->device, run->name, &fault);
	if (!err)
		err = unweave(run, &result, error);
	if (!err)
		err = read_totals(run, &totals, error);
	if (!err)
		err = drain(run, error);
	if (err)
		return err;
	fprintf(stderr, "%s unwoven: %s, %llu missed, %s, %llu lost\n", run->name,
		wv_count_text(totals.hits, "hit").text, (unsigned long long)totals.missed,
		wv_count_text(totals.records, "record").text, (unsigned long long)totals.lost);
	wv_inexact_text(&totals, &dropped);
	wv_dropped_text(&totals, &dropped);
	fputs(wv_str_text(&dropped), stderr);
	fputs(wv_str_text(&fault), stderr);
	return wv_unweave_check(run->name, &result, error);
}

static int show_records(struct run *run, struct wv_error *error)
{
	size_t n = 1;

	if (fflush(run->records) || ferror(run->records))
		return wv_fail_errno(error, errno, "%s", run->output ? run->output : "the records");
	if (run->output)
		return 0;
	rewind(run->records);
	while (n && (n = fread(run->buffer, 1, BUFFER_SIZE, run->records)))
		n = fwrite(run->buffer, 1, n, stdout);
	return fflush(stdout) || ferror(run->records) ?
		       wv_fail_errno(error, errno, "the records cannot be written") : 0;
}

static int weave_and_run(struct run *run, const char *path, const struct wv_aspect_module *module,
			 char **command, int *status_ret, struct wv_error *error)
{
	struct wv_summary summary = { 0 };
	struct wv_error later;
	int err;

	wv_progress_begin("weaving", module->header.name);
	err = wv_weave(&run->device, path, module, run->how, &summary, error);
	wv_progress_end();
	if (summary.matched || summary.waiting)
		wv_summary_print(stderr, module, &summary);
	if (!err && summary.refused.splices.n)
		err = wv_print_unseen(stderr, &run->device, module->header.name, error);
	wv_summary_deinit(&summary);
	if (err)
		return err;
	fflush(stdout);
	err = *command ? run_command(run, command, status_ret, error)
		       : wait_for_modules(run, status_ret, error);
	if (run->how->pending)
		show_parts(run);
	if (finish(run, err ? &later : error) && !err)
		err = -(int)error->code;
	if (show_records(run, err ? &later : error) && !err)
		err = -(int)error->code;
	if (show_metrics(run, err ? &later : error) && !err)
		err = -(int)error->code;
	return err;
}

/* @given: the module was named; else it was compiled now, or in the cache. */
static int run_with(const char *path, bool given, const char *output,
		    const struct wv_weave_options *how, char **command, int *status_ret,
		    struct wv_error *error)
{
	_cleanup_free_ void *buffer = malloc(BUFFER_SIZE);
	_cleanup_fclose_ FILE *records = output ? fopen(output, "we") : tmpfile();
	struct run run = {
		.buffer = buffer, .records = records, .how = how, .output = output
	};
	struct wv_aspect_module *module;
	int err;

	if (!buffer)
		return wv_fail(error, WV_E_NO_MEMORY, "out of memory");
	if (!records)
		return wv_fail_errno(error, errno, "%s",
				     output ? output : "a temporary file for the records");
	err = wv_aspect_module_open(path, &module, error);
	if (err)
		return err;
	if (given)
		wv_warn_module_incomplete(module);
	run.name = module->header.name;
	run.printer.aspect = run.name;
	err = wv_device_open_loading(&run.device, error);
	if (!err) {
		run.printer.device = &run.device;
		err = weave_and_run(&run, path, module, command, status_ret, error);
		wv_record_printer_deinit(&run.printer);
		wv_device_close(&run.device);
	}
	wv_aspect_module_destroy(module);
	return err;
}

static const struct wv_option known[] = {
	WV_FLAG(struct options, pending, "pending", 0,
		"modules that are not loaded are woven when they are, before their init runs; "
		"without COMMAND, until they are loaded"),
	WV_TEXT(struct options, output, "output", 'o', "FILE", WV_COMPLETE_FILE,
		"write the records to FILE (default: to standard output, after the command)"),
	WV_FLAG(struct options, own, "own", 0,
		"only hits of the command and of the processes that it starts, as long as their "
		"parents live"),
	WV_FILTER_OPTIONS(struct options, filter.),
	WV_LIMIT_OPTIONS(struct options, limits.),
	WV_MODULE_OPTIONS(struct options, module.),
	{ 0 }
};

/*
 * Makes the filter of the options. --own: only processes that descend from this one, which are just
 * those that the command starts.
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

static int run(int argc, char **argv, struct wv_error *error)
{
	struct options options = { .module = WV_MODULE_DEFAULTS, .filter = WV_FILTER_DEFAULTS };
	struct wv_weave_options how = { .bound = true };
	char cached[PATH_MAX];
	const char *path;
	size_t count;
	bool given;
	int first, status = 0,
		   err = wv_options_parse(&wv_cmd_run, argc, argv, &options, &first, error);

	if (err)
		return err;
	if (first == argc)
		return wv_usage(error, "run",
				"name an aspect (.xml) or aspect module (.ko), then a command");
	path = options.module.what.aspect = argv[first++];
	if (first < argc && !strcmp(argv[first], "--"))
		first++;
	if (first == argc && (!options.pending || options.own))
		return wv_usage(error, "run",
				"no command: write it after the aspect: weft run %s -- COMMAND",
				path);
	how.pending = options.pending;
	err = make_filter(&options, &how.filter, error);
	if (!err)
		err = wv_limits_of_options(&options.limits, "run", &how.budget, &how.share, error);
	if (err)
		return err;
	options.module.what.filtered = how.filter.asks;
	given = !wv_is_aspect_file(path);
	if (!given) {
		err = wv_module_complete(&options.module, "run", error);
		if (!err)
			err = wv_module_cached(&options.module, cached, &count, error);
		path = cached;
	}
	if (!err)
		err = run_with(path, given, options.output, &how, argv + first, &status, error);
	return err ? err : status;
}

const struct wv_cmd wv_cmd_run = {
	.name = "run",
	.run = run,
	.summary = "weave an aspect while a command runs, and show its records",
	.usage = "[options] ASPECT.xml|ASPECT.ko [-- COMMAND...]",
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
		 "With --pending, what became of the aspect in each module is told at the end, "
		 "and there may be no COMMAND: it\n"
		 "ends when the init functions of all of its modules have run. Signal N ends it "
		 "before; the status is 128 + N.\n",
	.examples = "weft run file_position.xml -- ls /\n"
		    "weft run --pending probe.xml -- modprobe e1000e\n",
};
