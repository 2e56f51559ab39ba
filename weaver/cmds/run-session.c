// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Weaves an aspect until a command has ended, a time is over, or modules are loaded; see
 * run-session.h. While a command runs, or a session waits for modules, the aspect's records are
 * kept in a temporary file. They are shown at the end, so that they do not mix with the command's
 * output. In any other session, or if there is a file for the records, they are written at once
 * (is_live()).
 */
#include <errno.h>
#include <fcntl.h>
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
#include "base/clock.h"
#include "base/notation.h"
#include "cmds/incomplete.h"
#include "cmds/live-view.h"
#include "cmds/run-session.h"
#include "cmds/session-page.h"
#include "cmds/session-signals.h"
#include "cmds/show-progress.h"
#include "cmds/unseen.h"
#include "live/load-kmod.h"
#include "live/recorder.h"
#include "live/live-parts.h"
#include "live/requests.h"
#include "live/read-metrics.h"
#include "live/once-states.h"
#include "live/apply.h"
#include "report/arrange.h"
#include "report/fault-report.h"
#include "report/summary.h"
#include "report/metrics-report.h"
#include "report/once-report.h"
#include "report/tag-report.h"
#include "report/part-report.h"
#include "report/records.h"

enum { BUFFER_SIZE = 256 * 1024, NOT_RUN = 126, NOT_FOUND = 127, BY_SIGNAL = 128 };
/*
 * Nanoseconds between two reads of the records. A recording begins with FIRST_PAUSE, and then
 * adapts the pause to how fast records arrive.
 */
enum { PAUSE = 100 * 1000 * 1000, FIRST_PAUSE = 1000 * 1000 };

struct run {
	const struct wv_session *session;
	const char *name; /* name of the aspect */
	const struct wv_aspect_module *module;
	struct wv_device device;
	struct wv_record_printer printer;
	void *buffer;
	FILE *records; /* where records go at first; a temporary file if is_live() is false */
	FILE *report; /* output for the metrics, and for the records from the temporary file */
	struct wv_recorder recorder; /* the recorder of a session with .recording */
	uint64_t pause; /* nanoseconds between two reads of the records */
	bool told_full; /* a note was printed that the disk is full */
	struct wv_session_page page;
	struct wv_live_view live;
	struct weft_status totals; /* the aspect's status at its end */
	sigset_t usual_mask;	   /* the signal mask that the command gets */
};

/*
 * Returns whether records are written to their final output when they are read from the kernel, and
 * not to a temporary file.
 */
static bool is_live(const struct run *run)
{
	return run->session->output || run->session->until == WV_UNTIL_SIGNAL;
}

/*
 * Prints a note when the disk is full and records stay in the kernel, and another one when records
 * are written again.
 */
static void show_full(struct run *run)
{
	const struct wv_recorder *recorder = &run->recorder;

	if (recorder->full && !run->told_full)
		fprintf(stderr, "%s: %s: records stay in the kernel until they can be written\n",
			run->session->recording, strerror(recorder->full));
	else if (!recorder->full && run->told_full)
		fprintf(stderr, "%s: records are written again\n", run->session->recording);
	run->told_full = recorder->full;
}

/* Writes all records that the kernel has now to the recording. */
static int record(struct run *run, struct wv_error *error)
{
	int err = wv_recorder_drain(&run->recorder, error);

	if (err)
		return err;
	show_full(run);
	run->pause = wv_recorder_pause(&run->recorder, run->pause);
	return 0;
}

/*
 * Moves all records that the kernel has now to run->records and to the page, and samples the
 * metrics for the page.
 */
static int drain(struct run *run, struct wv_error *error)
{
	size_t used = 0;
	bool gone;
	int err;

	if (run->session->recording)
		return record(run, error);
	do {
		err = wv_device_read(&run->device, run->name, run->buffer, BUFFER_SIZE, &used,
				     &gone, error);
		if (!err && used)
			err = wv_records_print(&run->printer, run->records, run->buffer, used,
					       error);
		if (!err && used)
			err = wv_session_page_records(&run->page, run->buffer, used, error);
	} while (!err && used);
	if (!err)
		err = wv_session_page_sample(&run->page, run->name, error);
	if (!err && is_live(run) && fflush(run->records))
		err = wv_fail_errno(error, errno, "the records cannot be written");
	return err;
}

/* ---- running the command --------------------------------------------------------------------- */

static int spawn(char **command, const sigset_t *mask, pid_t *ret)
{
	posix_spawnattr_t attributes;
	int failed;

	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigmask(&attributes, mask);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	failed = posix_spawnp(ret, command[0], NULL, &attributes, command, environ);
	posix_spawnattr_destroy(&attributes);
	return failed;
}

/*
 * Waits until the command has ended, and reads records meanwhile. If reading fails, still waits for
 * the command, and then returns the first error.
 */
static int wait_for(struct run *run, pid_t pid, const sigset_t *signals, int *status_ret,
		    struct wv_error *error)
{
	int err = 0;

	while (waitpid(pid, status_ret, WNOHANG) != pid) {
		const struct timespec pause = { .tv_nsec = (long)run->pause };
		int signal = sigtimedwait(signals, NULL, &pause);

		if (signal == SIGTERM || signal == SIGHUP)
			kill(pid, signal);
		if (!err)
			err = drain(run, error);
	}
	return err;
}

/*
 * Runs the command. Sets *@status_ret to its exit status as in a shell's $?, also if the command
 * could not be started.
 */
static int run_command(struct run *run, char **command, int *status_ret, struct wv_error *error)
{
	int failed, status = 0, err;
	sigset_t signals;
	pid_t pid;

	if (wv_session_signals_pending(&failed)) {
		*status_ret = BY_SIGNAL + failed;
		return 0;
	}
	sigemptyset(&signals);
	sigaddset(&signals, SIGCHLD);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	failed = spawn(command, &run->usual_mask, &pid);
	if (failed) {
		fprintf(stderr, "weft: %s: %s\n", command[0], strerror(failed));
		*status_ret = failed == ENOENT ? NOT_FOUND : NOT_RUN;
		return 0;
	}
	err = wait_for(run, pid, &signals, &status, error);
	*status_ret = WIFSIGNALED(status) ? BY_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
	return err;
}

/* ---- waiting without a command --------------------------------------------------------------- */

/*
 * Sets *@ret to whether the wait is over: wv_clock_ns() has reached @end, unless @end is 0; or the
 * session waits for modules, and they are loaded.
 */
static int has_ended(struct run *run, uint64_t end, bool *ret, struct wv_error *error)
{
	*ret = end && wv_clock_ns() >= end;
	if (*ret || run->session->until != WV_UNTIL_MODULES)
		return 0;
	return wv_modules_are_there(&run->device, run->name, ret, error);
}

/*
 * Waits for one of @signals, but only until records are to be read again, or until wv_clock_ns()
 * reaches @end, unless @end is 0. Returns the signal, or -1 if none has come.
 */
static int await_signal(const struct run *run, const sigset_t *signals, uint64_t end)
{
	struct timespec pause = { .tv_nsec = (long)run->pause };
	const uint64_t at = wv_clock_ns();

	if (end && end <= at)
		pause.tv_nsec = 0;
	else if (end && end - at < (uint64_t)pause.tv_nsec)
		pause.tv_nsec = end - at;
	return sigtimedwait(signals, NULL, &pause);
}

/* If the session has a live view of the metrics, updates it every second. */
static int show_live(struct run *run, struct wv_error *error)
{
	_cleanup_str_ struct wv_str text = { 0 };
	struct wv_readings readings;
	int err;

	if (!run->session->watch || !wv_live_view_is_due(&run->live))
		return 0;
	err = wv_readings_get(&run->device, run->name, &readings, error);
	if (err)
		return err;
	err = wv_live_view_add(&run->live, &readings, error);
	if (run->session->sort)
		wv_readings_sort(&readings, run->session->sort);
	wv_metrics_text(&readings, &run->live.text, &text);
	wv_readings_deinit(&readings);
	return err ? err : wv_live_view_show(&run->live, &text, error);
}

/*
 * Waits until the modules are loaded or the time is over, and reads records meanwhile. A signal
 * that asks weft to end ends only the wait, so that the records up to then are still shown. Sets
 * *@status_ret to 0 or, after a signal, to the status that a shell has for this signal. But with
 * WV_UNTIL_SIGNAL, ^C is the usual way to end weft, so *@status_ret is 0 after ^C, too.
 */
static int wait_for_end(struct run *run, int *status_ret, struct wv_error *error)
{
	const bool until_signal = run->session->until == WV_UNTIL_SIGNAL;
	const uint64_t end = run->session->lasts ? wv_clock_ns() + run->session->lasts : 0;
	bool ended = false;
	int signal = -1, err = 0;
	sigset_t signals;

	wv_session_signals(&signals);
	if (run->session->watch)
		wv_live_view_begin(&run->live, run->session->top);
	if (!until_signal)
		fprintf(stderr, "%s: waiting for its modules to be loaded\n", run->name);
	else if (!run->session->quiet)
		fprintf(stderr, "%s woven%s\n", run->name, end ? "" : "; ^C ends it");
	while (!err && !ended && signal < 0) {
		err = has_ended(run, end, &ended, error);
		if (!err && !ended)
			signal = await_signal(run, &signals, end);
		if (!err)
			err = drain(run, error);
		if (!err)
			err = show_live(run, error);
	}
	if (run->session->watch)
		wv_live_view_end(&run->live, false);
	if (run->session->interrupted_ret)
		*run->session->interrupted_ret = signal >= 0;
	*status_ret = signal < 0 || (until_signal && signal == SIGINT) ? 0 : BY_SIGNAL + signal;
	return err;
}

/*
 * Prints the state of the aspect's parts other than the kernel itself (report/part-report.h).
 * Called while the aspect is still woven, because unweaving it changes these states.
 */
static void show_parts(const struct run *run)
{
	_cleanup_str_ struct wv_str text = { 0 };

	wv_parts_text(&run->device, run->name, &text);
	if (text.data)
		fprintf(stderr, "%s, by section:\n%s", run->name, text.data);
}

/* ---- steps before and after the wait --------------------------------------------------------- */

/*
 * Sets @ret to the aspect's status. If the kernel has forgotten the aspect, leaves @ret as it is.
 */
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

/* Writes the readings to @text, as text or JSON. */
static void metrics_text(struct run *run, const struct wv_readings *readings,
			 const struct wv_once *once, struct wv_str *text)
{
	if (run->session->json) {
		wv_metrics_json(&run->totals, readings, text);
		wv_once_json(run->name, once, text);
		wv_tags_json_line(&run->device, run->name, text);
		return;
	}
	wv_metrics_text(readings,
			&(struct wv_text_view){ .top = run->session->top,
						.all_open = run->session->open },
			text);
	wv_once_text(once, text);
	wv_tags_text(&run->device, &run->totals, text);
}

/*
 * Sorts the rows of the metrics by the column session->sort. If no metric has this column, prints a
 * note, and leaves the rows in their order.
 */
static void sort_metrics(const struct run *run, struct wv_readings *readings)
{
	const char *column = run->session->sort;

	if (column && !wv_readings_sort(readings, column))
		fprintf(stderr, "weft: note: no metric of %s has a column '%s' (or sort by key)\n",
			run->name, column);
}

static int print_metrics(struct run *run, const struct wv_readings *readings,
			 const struct wv_once *once, struct wv_error *error)
{
	_cleanup_str_ struct wv_str text = { 0 };

	metrics_text(run, readings, once, &text);
	if (text.failed)
		return wv_no_memory(error);
	if (text.data && (fputs(text.data, run->report) < 0 || fflush(run->report)))
		return wv_fail_errno(error, errno, "the metrics cannot be written");
	return 0;
}

/*
 * Shows the metrics, if there are any, and writes the page. Then resets the metrics, because the
 * kernel does not forget an aspect that has metrics before.
 */
static int show_metrics(struct run *run, struct wv_error *error)
{
	struct wv_readings readings = { 0 };
	struct wv_once once = { 0 };
	const struct wv_session_taker *taker = run->session->taker;
	int err = wv_readings_get(&run->device, run->name, &readings, error);

	if (!err)
		err = wv_readings_get_open(&run->device, run->name, &readings, error);
	if (!err)
		err = wv_once_get(&run->device, run->name, &once, error);
	/* The kernel has forgotten an aspect without metrics and records when it was unwoven. */
	if (err == -WV_E_STATE)
		err = 0;
	if (!err) {
		sort_metrics(run, &readings);
		err = taker ? taker->counted(taker->context, &readings, error) :
			      print_metrics(run, &readings, &once, error);
	}
	if (!err)
		err = wv_session_page_write(&run->page, &run->totals, &readings, &once, error);
	if (!err && (readings.list.n || once.list.n || wv_tags_any(&run->device, run->name)))
		err = wv_readings_reset(&run->device, run->name, error);
	wv_once_deinit(&once);
	wv_readings_deinit(&readings);
	return err;
}

/* Ends the recording: writes the last records, and removes the aspect's module. */
static int end_recording(struct run *run, struct wv_error *error)
{
	struct wv_unweave_result ignored;
	int err = wv_recorder_end(&run->recorder, error);

	if (!err)
		return wv_unweave(&run->device, run->name, &ignored, error);
	fprintf(stderr,
		"%s: %s could not be written, and those after them: they stay in the kernel, "
		"for `weft read %s`\n",
		run->session->recording,
		wv_count_text(wv_recorder_unwritten(&run->recorder), "record").text, run->name);
	return err;
}

static int unweave(struct run *run, struct wv_unweave_result *ret, struct wv_error *error)
{
	int err;

	wv_progress_begin("unweaving", run->name);
	err = run->session->recording ? wv_unweave_only(&run->device, run->name, ret, error)
				      : wv_unweave(&run->device, run->name, ret, error);
	wv_progress_end();
	return err;
}

/*
 * Unweaves the aspect, reads the remaining records, prints the aspect's totals and the fault of its
 * advice, if there was one, and checks that the text is restored. Reads the totals before and again
 * after the aspect is unwoven. The kernel may forget the aspect when it is unwoven, if there are no
 * unread records. Then the totals from before are printed, which lack the last hits.
 */
static int finish(struct run *run, struct wv_error *error)
{
	_cleanup_str_ struct wv_str dropped = { 0 };
	_cleanup_str_ struct wv_str fault = { 0 };
	struct wv_unweave_result result;
	struct weft_status *totals = &run->totals;
	int err = read_totals(run, totals, error);

	wv_fault_text(&run->device, run->name, &fault);
	if (!err)
		err = unweave(run, &result, error);
	wv_session_signals_release(&run->usual_mask);
	if (!err)
		err = read_totals(run, totals, error);
	if (!err)
		err = run->session->recording ? end_recording(run, error) : drain(run, error);
	if (err)
		return err;
	if (!run->session->quiet || totals->missed || totals->lost)
		fprintf(stderr, "%s unwoven: %s, %llu missed, %s, %llu lost\n", run->name,
			wv_count_text(totals->hits, "hit").text, (unsigned long long)totals->missed,
			wv_count_text(totals->records, "record").text,
			(unsigned long long)totals->lost);
	if (!run->session->quiet)
		wv_inexact_text(totals, &dropped);
	wv_dropped_text(totals, &dropped);
	fputs(wv_str_text(&dropped), stderr);
	fputs(wv_str_text(&fault), stderr);
	return wv_unweave_check(run->name, &result, error);
}

static int show_records(struct run *run, struct wv_error *error)
{
	const char *output = run->session->output;
	size_t n = 1;

	if (run->session->recording) {
		if (!run->session->quiet && !run->session->unnamed)
			fprintf(stderr, "%s: %s, %llu bytes\n", run->session->recording,
				wv_count_text(run->recorder.records, "record").text,
				(unsigned long long)run->recorder.bytes);
		return 0;
	}
	if (fflush(run->records) || ferror(run->records))
		return wv_fail_errno(error, errno, "%s", output ? output : "the records");
	if (is_live(run))
		return 0;
	rewind(run->records);
	while (n && (n = fread(run->buffer, 1, BUFFER_SIZE, run->records)))
		n = fwrite(run->buffer, 1, n, run->report);
	return fflush(run->report) || ferror(run->records) ?
		       wv_fail_errno(error, errno, "the records cannot be written") : 0;
}

/*
 * Prints the summary of the weave on standard error; if .brief of the session is set, only its
 * first line. If .quiet is set and the aspect was woven, prints this line if shadows were refused,
 * and nothing if none was. Then warns of metrics that will miss hits because of refused shadows.
 */
static int show_summary(struct run *run, const struct wv_aspect_module *module,
			const struct wv_summary *summary, bool woven, struct wv_error *error)
{
	const struct wv_session *session = run->session;

	if (!summary->matched && !summary->waiting)
		return 0;
	if (session->quiet && woven && !summary->refused.splices.n)
		return 0;
	if (session->brief || (session->quiet && woven))
		wv_summary_print_brief(stderr, module, summary);
	else
		wv_summary_print(stderr, module, summary, session->verbose);
	return woven && !session->taker && summary->refused.splices.n
		       ? wv_print_unseen(stderr, &run->device, run->name, error)
		       : 0;
}

/* Begins the recording. Called when the module is loaded and nothing is woven yet. */
static int begin_recording(void *run_, struct wv_error *error)
{
	struct run *run = run_;

	return wv_recorder_begin(&run->recorder, &run->device, run->module, run->session->buffer,
				 error);
}

static int weave_and_run(struct run *run, const char *path, const struct wv_aspect_module *module,
			 int *status_ret, struct wv_error *error)
{
	const struct wv_session *session = run->session;
	struct wv_weave_options how = session->how;
	struct wv_summary summary = { 0 };
	struct wv_error later;
	int err, shown;

	if (session->recording) {
		how.on_loaded = begin_recording;
		how.context = run;
	}
	wv_progress_begin("weaving", run->name);
	err = wv_weave(&run->device, path, module, &how, &summary, error);
	wv_progress_end();
	wv_summary_print_dropped(module, &summary);
	shown = show_summary(run, module, &summary, !err, err ? &later : error);
	if (!err && !shown && session->taker)
		shown = session->taker->woven(session->taker->context, module, &summary, error);
	if (!err && !shown)
		shown = wv_session_page_begin(&run->page, &session->page, &run->device, module,
					      &summary, error);
	wv_summary_deinit(&summary);
	if (err && session->recording)
		wv_recorder_discard(&run->recorder);
	if (err || shown)
		return err ? err : shown;
	fflush(stdout);
	wv_session_signals_hold(&run->usual_mask);
	err = session->until == WV_UNTIL_COMMAND
		      ? run_command(run, session->command, status_ret, error)
		      : wait_for_end(run, status_ret, error);
	if (session->how.pending)
		show_parts(run);
	if (finish(run, err ? &later : error) && !err)
		err = -(int)error->code;
	if (show_records(run, err ? &later : error) && !err)
		err = -(int)error->code;
	if (show_metrics(run, err ? &later : error) && !err)
		err = -(int)error->code;
	return err;
}

/*
 * Creates a temporary file. The command does not inherit the file, because the command may run as
 * another user, who must not read the records.
 */
static FILE *private_file(void)
{
	FILE *file = tmpfile();

	if (file)
		fcntl(fileno(file), F_SETFD, FD_CLOEXEC);
	return file;
}

/* Opens the files to which the session writes. */
static int open_files(struct run *run, struct wv_error *error)
{
	const struct wv_session *session = run->session;
	const bool command = session->until != WV_UNTIL_SIGNAL;

	if (session->recording) {
		run->records = run->report = session->until == WV_UNTIL_COMMAND ? stderr : stdout;
		return wv_recorder_create(&run->recorder, session->recording, error);
	}
	run->records = session->output ? fopen(session->output, "we") :
		       command	       ? private_file() :
					 stdout;
	if (!run->records)
		return wv_fail_errno(error, errno, "%s",
				     session->output ? session->output :
						       "a temporary file for the records");
	run->report = !session->aside  ? stdout :
		      session->output ? run->records :
		      command	       ? stderr :
					 stdout;
	return 0;
}

/* Returns whether run->records is a file that this session has opened. */
static bool session_file(const struct run *run)
{
	return run->records != stdout && run->records != stderr;
}

static int run_module(struct run *run, const char *path, struct wv_aspect_module *module,
		      int *status_ret, struct wv_error *error)
{
	int err = open_files(run, error);

	if (err)
		return err;
	run->name = module->header.name;
	run->module = module;
	snprintf(run->totals.name, sizeof(run->totals.name), "%s", run->name);
	run->printer.aspect = run->name;
	run->printer.json = run->session->json;
	run->printer.changes = run->session->changes;
	run->printer.bare_blocks = run->session->bare;
	err = wv_device_open_loading(&run->device, error);
	if (err && run->session->recording)
		wv_recorder_discard(&run->recorder);
	if (!err) {
		run->printer.device = &run->device;
		err = weave_and_run(run, path, module, status_ret, error);
		wv_record_printer_deinit(&run->printer);
		wv_session_page_deinit(&run->page);
		wv_device_close(&run->device);
	}
	if (session_file(run))
		fclose(run->records);
	wv_recorder_deinit(&run->recorder);
	return err;
}

int wv_session_run(const struct wv_session *session, const char *path, int *status_ret,
		   struct wv_error *error)
{
	_cleanup_free_ void *buffer = malloc(BUFFER_SIZE);
	struct run run = { .session = session, .buffer = buffer,
			   .pause = session->recording ? FIRST_PAUSE : PAUSE };
	struct wv_aspect_module *module;
	int err;

	*status_ret = 0;
	if (!buffer)
		return wv_no_memory(error);
	err = wv_aspect_module_open(path, &module, error);
	if (err)
		return err;
	if (session->given)
		wv_warn_module_incomplete(module);
	err = run_module(&run, path, module, status_ret, error);
	wv_aspect_module_destroy(module);
	return err;
}
