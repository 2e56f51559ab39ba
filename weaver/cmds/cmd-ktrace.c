// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `weft ktrace`: records events of the kernel with variables, as Ktrace did, while a command runs
 * or until ^C, and then prints the events. Writes the events to a recording. When the aspect is
 * unwoven, makes the text of the recording, and removes the recording unless the user wants to keep
 * it.
 */
#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "aspect/oneliner/ktrace-aspect.h"
#include "base/child.h"
#include "base/cleanup.h"
#include "base/notation.h"
#include "base/temporary.h"
#include "cmds/aspect-module.h"
#include "cmds/buffer-option.h"
#include "cmds/cmd.h"
#include "cmds/filter-options.h"
#include "cmds/limit-options.h"
#include "cmds/options.h"
#include "cmds/recording-notes.h"
#include "cmds/run-session.h"
#include "report/ktrace-text.h"
#include "trace/ktrace-ber.h"
#include "trace/recording.h"

#define DEFAULT_EVENTS "syscall-entry,syscall-exit"

struct options {
	struct wv_module_options module;
	struct wv_filter_options filter;
	struct wv_limit_options limits;
	const char *events, *variables, *name, *output, *record, *read, *buffer;
	uint64_t lasts;
	bool everybody, calls, ber, xml, quiet;
};

/*
 * A temporary folder, .folder, with a recording, .recording. .folder is "" if there is no such
 * folder.
 */
struct scratch {
	char folder[PATH_MAX];
	char recording[PATH_MAX + 4];
};

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *at)
{
	return remove(path);
}

static void remove_scratch(struct scratch *scratch)
{
	if (!*scratch->folder)
		return;
	nftw(scratch->folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	*scratch->folder = '\0';
	wv_signals_release();
}

/* ---- printing a recording -------------------------------------------------------------------- */

/* Prints the events of the recording @from to @out. */
static int print_events(const struct options *options, struct wv_recording *from, FILE *out,
			struct wv_error *error)
{
	struct wv_ktrace_calls calls = { .out = out };
	struct wv_ktrace_ber ber = { .out = out };
	struct wv_ktrace ktrace = { 0 };
	int err;

	for (;;) {
		const struct weft_record *record;
		struct wv_ktrace_event event;
		bool any;

		err = wv_recording_next(from, &record, error);
		if (err || !record || ferror(out))
			break;
		err = wv_ktrace_add(&ktrace, record, &event, &any, error);
		if (err)
			break;
		if (!any)
			continue;
		if (options->ber)
			wv_ktrace_ber_add(&ber, &event);
		else if (!options->calls)
			wv_ktrace_print(out, &event);
		else if ((err = wv_ktrace_calls_add(&calls, &event, error)))
			break;
	}
	if (!err)
		wv_ktrace_calls_end(&calls);
	wv_ktrace_calls_deinit(&calls);
	wv_ktrace_deinit(&ktrace);
	return err;
}

/*
 * Prints the recording in the folder @path to the file that the options name; if they name none, to
 * @usual. Opens the recording, and removes the folder of @scratch, in which it may be, before
 * printing: a signal may end weft while it prints, and an open recording does not need the names of
 * its files.
 */
static int print_recording(const struct options *options, const char *path,
			   struct scratch *scratch, FILE *usual, struct wv_error *error)
{
	const char *name = options->output ? options->output : "the events";
	_cleanup_free_ struct wv_recording *recording = malloc(sizeof(*recording));
	FILE *out = usual;
	uint64_t lost;
	int err;

	if (!recording)
		return wv_no_memory(error);
	err = wv_recording_open(path, recording, error);
	remove_scratch(scratch);
	if (err)
		return err;
	if (options->output)
		out = fopen(options->output, "we");
	if (!out) {
		err = wv_fail_errno(error, errno, "%s", name);
		goto close;
	}
	errno = 0;
	err = print_events(options, recording, out, error);
	if (!err && (fflush(out) || ferror(out)))
		err = wv_fail_errno(error, errno ? errno : EIO, "%s", name);
	if (out != usual && fclose(out) && !err)
		err = wv_fail_errno(error, errno, "%s", name);
	lost = wv_recording_lost(recording);
	if (!err)
		wv_note_cut_off(recording);
	if (!err && lost)
		fprintf(stderr, "weft: note: %s lost while it was recorded\n",
			wv_count_text(lost, "record").text);
close:
	wv_recording_close(recording);
	return err;
}

/* ---- recording ------------------------------------------------------------------------------- */

/* From here on to remove_scratch() no signal ends weft, so the folder does not stay. */
static int make_scratch(struct scratch *scratch, struct wv_error *error)
{
	char name[PATH_MAX];
	int failed = wv_temporary_name(name, error);

	if (failed)
		return failed;
	wv_signals_hold();
	if (!mkdtemp(name)) {
		wv_signals_release();
		return wv_fail_errno(error, errno, "%s", name);
	}
	snprintf(scratch->folder, sizeof(scratch->folder), "%s", name);
	snprintf(scratch->recording, sizeof(scratch->recording), "%s/ctf", scratch->folder);
	return 0;
}

static int make_session(const struct options *options, char **command, struct wv_session *session,
			struct wv_error *error)
{
	int err = wv_filter_of_options(&options->filter, "ktrace", &session->how.filter, error);

	if (!err)
		err = wv_limits_of_options(&options->limits, "ktrace", &session->how.budget,
					   &session->how.share, error);
	if (!err && options->buffer)
		err = wv_buffer_of_option(options->buffer, "ktrace", &session->buffer, error);
	if (err)
		return err;
	/*
	 * Unless the options say whose events are recorded, record those of the command and of what
	 * it starts.
	 */
	if (*command && !options->everybody && !session->how.filter.asks) {
		session->how.filter.asks = WEFT_FILTER_BELOW;
		session->how.filter.pid = (uint32_t)getpid();
	}
	session->command = command;
	session->until = *command ? WV_UNTIL_COMMAND : WV_UNTIL_SIGNAL;
	session->lasts = options->lasts;
	session->verbose = options->module.verbose;
	session->brief = !options->module.verbose;
	session->quiet = options->quiet;
	return 0;
}

/*
 * Weaves the aspect @made and records its events to session->recording, or, if that is NULL, to
 * @scratch, which it makes.
 */
static int record(struct options *options, const struct wv_oneliner_made *made,
		  struct wv_session *session, struct scratch *scratch, int *status_ret,
		  struct wv_error *error)
{
	char path[PATH_MAX];
	size_t count;
	int err;

	options->module.what.aspect = made->file;
	options->module.what.text = &made->xml;
	options->module.what.filtered = session->how.filter.asks;
	options->module.brief = true;
	options->module.quiet = options->quiet;
	err = wv_module_complete(&options->module, "ktrace", error);
	if (!err)
		err = wv_module_cached(&options->module, path, &count, error);
	if (!err && !session->recording) {
		err = make_scratch(scratch, error);
		session->recording = scratch->recording;
		session->unnamed = true;
	}
	return err ? err : wv_session_run(session, path, status_ret, error);
}

static int record_and_print(struct options *options, const struct wv_oneliner_made *made,
			    char **command, struct wv_error *error)
{
	struct wv_session session = { .how.bound = true, .recording = options->record };
	struct scratch scratch = { 0 };
	int status = 0, err = make_session(options, command, &session, error);

	if (err)
		return err;
	err = record(options, made, &session, &scratch, &status, error);
	if (!err && !options->record)
		err = print_recording(options, scratch.recording, &scratch,
				      *command ? stderr : stdout, error);
	remove_scratch(&scratch);
	return err ? err : status;
}

/* ---- the command ----------------------------------------------------------------------------- */

/* Checks the options that say what is printed, and where. */
static int check_output(const struct options *options, struct wv_error *error)
{
	if (options->ber && options->calls)
		return wv_usage(error, "ktrace", "--ber and --calls exclude each other");
	if (options->ber && !options->output && !options->xml)
		return wv_usage(error, "ktrace", "--ber writes no text: name a file with -o");
	if (options->record && (options->ber || options->calls || options->output))
		return wv_usage(error, "ktrace",
				"a recording is read with --read: --record has neither --ber, "
				"--calls nor -o");
	return 0;
}

static int check(const struct options *options, int n, char **left, char **command,
		 struct wv_error *error)
{
	const bool chosen = options->filter.pid != WV_ANYBODY ||
			    options->filter.uid != WV_ANYBODY || options->filter.comm;

	if (n)
		return wv_usage(error, "ktrace",
				"unexpected argument '%s'; a command comes after --", left[0]);
	if (options->read && (*command || options->record || options->xml || chosen))
		return wv_usage(error, "ktrace",
				"--read prints a recording: nothing is woven or run");
	if (*command && options->lasts)
		return wv_usage(error, "ktrace",
				"--for and a command exclude each other: both set when it ends");
	if (options->everybody && chosen)
		return wv_usage(error, "ktrace",
				"--everybody and a choice of whose events exclude each other");
	if (options->calls && !options->read &&
	    (!wv_ktrace_names(options->events, "syscall-entry", 13) ||
	     !wv_ktrace_names(options->events, "syscall-exit", 12) ||
	     (options->variables && !wv_ktrace_names(options->variables, "registers", 9))))
		return wv_usage(error, "ktrace",
				"--calls needs the events syscall-entry and syscall-exit, and the "
				"variable registers");
	return check_output(options, error);
}

static const struct wv_option known[] = {
	WV_TEXT(struct options, events, "events", 'e', "NAMES", WV_COMPLETE_ANY,
		"which, with commas between, or all (default: " DEFAULT_EVENTS ")"),
	WV_TEXT(struct options, variables, "variables", 0, "NAMES", WV_COMPLETE_ANY,
		"which, with commas between, or all (default: " WV_KTRACE_USUAL ")"),
	WV_FLAG(struct options, everybody, "everybody", 0,
		"with COMMAND: everybody's events while it runs, not only its own and those of the "
		"processes that it starts"),
	WV_TIME(struct options, lasts, "for", 0, "for that long, instead of until ^C: 10s, 500ms"),
	WV_FLAG(struct options, calls, "calls", 0,
		"a line for each system call with its result, as strace prints it"),
	WV_FLAG(struct options, ber, "ber", 0, "by the Basic Encoding Rules of ASN.1, with -o"),
	WV_TEXT(struct options, output, "output", 'o', "FILE", WV_COMPLETE_FILE,
		"write the events to FILE (default: to standard output; if COMMAND runs to "
		"standard error)"),
	WV_TEXT(struct options, record, "record", 0, "FOLDER", WV_COMPLETE_FILE,
		"write a recording to FOLDER instead, as `weft record` does"),
	WV_TEXT(struct options, read, "read", 0, "FOLDER", WV_COMPLETE_FOLDER,
		"print the events of such a recording"),
	WV_TEXT(struct options, buffer, "buffer", 0, "SIZE", WV_COMPLETE_ANY,
		"the size of each CPU's buffer, 4K to 64M (default: 4M, less with many CPUs)"),
	WV_TEXT(struct options, name, "name", 0, "NAME", WV_COMPLETE_ANY,
		"the aspect's name (default: ktrace)"),
	WV_FLAG(struct options, xml, "xml", 0,
		"print the aspect that this is, for `weft run`, and do nothing else"),
	WV_FLAG(struct options, quiet, "quiet", 'q', "beside the events, only what is wrong"),
	WV_FILTER_OPTIONS(struct options, filter.), WV_LIMIT_OPTIONS(struct options, limits.),
	WV_MODULE_OPTIONS(struct options, module.), { 0 }
};

static int run(int argc, char **argv, struct wv_error *error)
{
	struct options options = {
		.module = WV_MODULE_DEFAULTS, .filter = WV_FILTER_DEFAULTS,
		.events = DEFAULT_EVENTS,
	};
	struct wv_oneliner_made made = { 0 };
	struct wv_error plain;
	char **command;
	const int n = wv_split_at_dashes(argc, argv, &command);
	int first, err = wv_options_parse(&wv_cmd_ktrace, n, argv, &options, &first, error);

	if (!err)
		err = check(&options, n - first, argv + first, command, error);
	if (err)
		return err;
	if (options.read)
		return print_recording(&options, options.read, &(struct scratch){ .folder = "" },
				       stdout, error);
	err = wv_ktrace_make(&(struct wv_ktrace_asked){ options.events, options.variables,
							options.name },
			     &made, error);
	if (err == -WV_E_USAGE) {
		plain = *error;
		return wv_usage(error, "ktrace", "%s", plain.message);
	}
	if (!err)
		err = options.xml ? wv_print(&made.xml, error)
				  : record_and_print(&options, &made, command, error);
	wv_oneliner_made_deinit(&made);
	return err;
}

const struct wv_cmd wv_cmd_ktrace = {
	.name = "ktrace",
	.run = run,
	.summary = "events of the kernel, with the variables that you choose",
	.usage = "[options] [-- COMMAND...]",
	.options = known,
	.dashes_program = true,
	.intro = "Records what happens in the kernel until COMMAND ends, --for is over, or ^C, and "
		 "then\n"
		 "prints a line for each event, with the variables that the event stores.\n\n",
	.list = wv_ktrace_list,
	.notes = "In the kernel only those variables are stored that have changed. The exit status "
		 "is\n"
		 "COMMAND's, else 0. With --xml it prints itself as an aspect: other events and\n"
		 "variables can be added there.\n",
	.examples = "# What strace prints, with the numbers as they are.\n"
		    "weft ktrace --calls -- ls\n"
		    "# How much memory is free whenever some is taken or given back?\n"
		    "weft ktrace -e page-alloc,page-free --variables free-memory --for 1s\n"
		    "# What became of a process, for other tools.\n"
		    "weft ktrace -e all --variables all --pid 812 --for 10s --ber -o events.ber\n",
};
