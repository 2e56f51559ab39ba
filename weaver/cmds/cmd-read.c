// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `weft read`: prints the records of one aspect or of all aspects, and takes them out of the
 * kernel. Or prints the records of a recording, and leaves them there. For users, and where only
 * some records are chosen, it is a reader beside others (read-view.c).
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/notation.h"
#include "cmds/cmd.h"
#include "cmds/options.h"
#include "cmds/read-view.h"
#include "cmds/recording-notes.h"
#include "live/privilege.h"
#include "live/requests.h"
#include "report/fault-report.h"
#include "report/records.h"
#include "trace/recording.h"

struct options {
	bool follow, json, beside;
	struct wv_read_view view; /* what is chosen */
};

enum { BUFFER_SIZE = 256 * 1024, FOLLOW_MS = 100 };

static volatile sig_atomic_t interrupted;

static void on_signal(int signal)
{
	interrupted = 1;
}

struct reader {
	const struct wv_device *device;
	const char *name; /* name of the aspect; NULL: all aspects */
	bool follow, json;
	/*
	 * Without .follow: the time at which the command began, in nanoseconds of CLOCK_MONOTONIC.
	 * Reading stops after the buffer in which a record is newer. Without this limit the command
	 * might never end, because new records arrive all the time, and weft itself may cause some
	 * of them.
	 */
	uint64_t begin;
	void *buffer;
};

/* Makes the text of the @used bytes of records at @records. The caller frees *@text_ret. */
static int make_text(struct wv_record_printer *printer, const void *records, size_t used,
		     char **text_ret, size_t *size_ret, struct wv_error *error)
{
	FILE *memory = open_memstream(text_ret, size_ret);
	int err;

	if (!memory)
		return wv_no_memory(error);
	err = wv_records_print(printer, memory, records, used, error);
	if (fclose(memory) && !err)
		err = wv_no_memory(error);
	return err;
}

/* Writes @size bytes to standard output. Returns how many it took; errno says why not all. */
static size_t write_out(const char *text, size_t size)
{
	size_t written = 0;

	while (written < size) {
		const ssize_t n = write(STDOUT_FILENO, text + written, size - written);

		if (n < 0 && errno != EINTR)
			break;
		written += n > 0 ? (size_t)n : 0;
	}
	return written;
}

/*
 * Fails, and says how many of the @used bytes of records at @records are not in the output, which
 * has taken @written bytes of their text.
 */
static int fail_unwritten(struct wv_record_printer *printer, const void *records, size_t used,
			  size_t written, int why, struct wv_error *error)
{
	uint64_t lost = 0;
	size_t end = 0;

	for (size_t at = 0; at < used;) {
		const struct weft_record *record =
			(const void *)((const char *)records + at);
		_cleanup_free_ char *text = NULL;
		size_t size;
		int err = make_text(printer, record, record->size, &text, &size, error);

		if (err)
			return err;
		end += size;
		lost += end > written;
		at += record->size;
	}
	return wv_fail_errno(error, why,
			     "could not be written, and lost: %s; the others stay in the kernel",
			     wv_count_text(lost, "record").text);
}

/* Prints the @used bytes of records in ->buffer, which are not in the kernel any more. */
static int print(const struct reader *reader, struct wv_record_printer *printer, size_t used,
		 struct wv_error *error)
{
	_cleanup_free_ char *text = NULL;
	size_t size, written;
	int err = make_text(printer, reader->buffer, used, &text, &size, error);

	if (err)
		return err;
	written = write_out(text, size);
	return written == size ? 0
			       : fail_unwritten(printer, reader->buffer, used, written, errno,
						error);
}

/*
 * Reads and prints records of the aspect @name. With .follow, reads until there are no more.
 * Without .follow, stops at the latest after a buffer that has a record newer than .begin.
 * *@any_ret: whether there were records.
 * *@gone_ret: whether the kernel does not know the aspect (any more).
 */
static int drain(const struct reader *reader, const char *name, bool *any_ret, bool *gone_ret,
		 struct wv_error *error)
{
	struct wv_record_printer printer = {
		.device = reader->device,
		.aspect = name,
		.show_aspect = !reader->name,
		.json = reader->json,
	};
	size_t used;
	int err;

	*any_ret = false;
	do {
		err = wv_device_read(reader->device, name, reader->buffer, BUFFER_SIZE, &used,
				     gone_ret, error);
		if (!err && used)
			err = print(reader, &printer, used, error);
		*any_ret |= used != 0;
	} while (!err && used && !interrupted &&
		 (reader->follow || wv_records_newest(reader->buffer, used) <= reader->begin));
	wv_record_printer_deinit(&printer);
	return err;
}

/* Prints the records that each aspect has now. */
static int drain_all(const struct reader *reader, struct wv_error *error)
{
	struct wv_statuses statuses;
	int err = wv_device_list(reader->device, &statuses, error);
	bool any, gone;

	if (err)
		return err;
	wv_vec_for_each(status, &statuses.list) {
		if (!err && status->unread)
			err = drain(reader, status->name, &any, &gone, error);
	}
	wv_statuses_deinit(&statuses);
	return err;
}

/*
 * Prints, on standard error, where the advice of each aspect has faulted, if it has. weft.ko has
 * unwoven such an aspect, so it writes no more records.
 */
static void report_faults(const struct reader *reader, const struct wv_statuses *statuses)
{
	wv_vec_for_each(status, &statuses->list) {
		_cleanup_str_ struct wv_str text = { 0 };

		if (reader->name && strcmp(reader->name, status->name))
			continue;
		wv_fault_text(reader->device, status->name, &text);
		if (text.n)
			fprintf(stderr, "weft: note: %s:\n%s", status->name, wv_str_text(&text));
	}
}

/*
 * Prints how many records each aspect has lost and where its advice has faulted or, as JSON, all
 * totals. If the module of an aspect is unloaded, the kernel forgets the aspect when its last
 * record is read. Its totals are then those of @statuses, which were read before the records.
 */
static int report_losses(const struct reader *reader, struct wv_statuses *statuses,
			 struct wv_error *error)
{
	struct wv_statuses now;
	int err = wv_device_list(reader->device, &now, error);

	if (err)
		return err;
	wv_vec_for_each(before, &statuses->list) {
		const struct weft_status *after = wv_statuses_find(&now, before->name);
		const struct weft_status *status = after ? after : before;

		if (reader->name && strcmp(reader->name, status->name))
			continue;
		if (reader->json && !err)
			err = wv_records_print_totals(stdout, status, 0, error);
		else if (!reader->json && status->lost)
			fprintf(stderr,
				"weft: note: %s: %s written, %llu more lost: the buffer was full\n",
				status->name, wv_count_text(status->records, "record").text,
				(unsigned long long)status->lost);
	}
	wv_statuses_deinit(&now);
	if (!reader->json)
		report_faults(reader, statuses);
	errno = 0;
	if (!err && (fflush(stdout) || ferror(stdout)))
		err = wv_fail_errno(error, errno ? errno : EIO, "the totals cannot be written");
	return err;
}

static int read_until_end(const struct reader *reader, struct wv_error *error)
{
	static const struct timespec pause = { .tv_nsec = FOLLOW_MS * 1000000L };
	bool any = false, seen = false, gone = false;
	int err;

	for (;;) {
		err = reader->name ? drain(reader, reader->name, &any, &gone, error)
				   : drain_all(reader, error);
		if (!err && gone && !any && !seen)
			return wv_fail(error, WV_E_STATE, "no aspect %s, and no records of one",
				       reader->name);
		seen = true;
		if (err || !reader->follow || interrupted || gone)
			return err;
		nanosleep(&pause, NULL);
	}
}

static int read_records(struct reader *reader, struct wv_error *error)
{
	_cleanup_free_ void *buffer = malloc(BUFFER_SIZE);
	struct wv_statuses statuses = { 0 };
	int err;

	if (!buffer)
		return wv_no_memory(error);
	reader->buffer = buffer;
	reader->begin = wv_clock_ns();
	err = wv_device_list(reader->device, &statuses, error);
	if (!err)
		err = read_until_end(reader, error);
	if (!err)
		err = report_losses(reader, &statuses, error);
	wv_statuses_deinit(&statuses);
	return err;
}

/* ---- reading a recording --------------------------------------------------------------------- */

static bool is_recording(const char *name)
{
	struct stat status;

	return !stat(name, &status) && S_ISDIR(status.st_mode);
}

static int print_recording(struct wv_recording *recording, bool json, struct wv_error *error)
{
	struct wv_record_printer printer = {
		.recording = recording,
		.aspect = recording->table.about.aspect,
		.json = json,
	};
	const struct weft_record *record;
	int err;

	do {
		err = wv_recording_next(recording, &record, error);
		if (!err && record)
			err = wv_records_print(&printer, stdout, record, record->size, error);
	} while (!err && record && !interrupted && !ferror(stdout));
	wv_record_printer_deinit(&printer);
	return err;
}

/*
 * Prints what the recording lacks: records that were lost, and the rest of a packet that was cut
 * off.
 */
static int report_missing(const struct wv_recording *recording, bool json, struct wv_error *error)
{
	const char *name = recording->table.about.aspect;
	struct weft_status status = { .records = recording->records,
				      .lost = wv_recording_lost(recording) };
	int err = 0;

	snprintf(status.name, sizeof(status.name), "%s", name);
	wv_note_cut_off(recording);
	if (json)
		err = wv_records_print_totals(stdout, &status, 0, error);
	else if (status.lost)
		fprintf(stderr,
			"weft: note: %s: %s written, %llu more lost: the buffer was full\n", name,
			wv_count_text(status.records, "record").text,
			(unsigned long long)status.lost);
	return err;
}

static int read_recording(const char *path, bool json, struct wv_error *error)
{
	_cleanup_free_ struct wv_recording *recording = malloc(sizeof(*recording));
	int err;

	if (!recording)
		return wv_no_memory(error);
	err = wv_recording_open(path, recording, error);
	if (err)
		return err;
	err = print_recording(recording, json, error);
	errno = 0;
	if (!err && !interrupted)
		err = report_missing(recording, json, error);
	wv_recording_close(recording);
	if (fflush(stdout) || ferror(stdout))
		return wv_fail_errno(error, errno ? errno : EIO, "the output cannot be written");
	return err;
}

static const struct wv_option known[] = {
	WV_FLAG(struct options, follow, "follow", 'f', "go on until interrupted"),
	WV_FLAG(struct options, json, "json", 'j',
		"one JSON object a line; at the end one with how many were written and lost"),
	WV_FLAG(struct options, beside, "beside", 'b',
		"take no records from other readers; users always read so"),
	WV_FLAG(struct options, view.newest, "new", 'n', "only what comes from now on (beside)"),
	WV_NUMBER(struct options, view.pid, "pid", 'p', "PID",
		  "only records of this process (beside)"),
	WV_TEXTS(struct options, view.at, "at", 0, "FUNCTION", WV_COMPLETE_ANY,
		 "only from this function, symbol or symbol+0xOFFSET; may be repeated (beside)"),
	WV_TEXT(struct options, view.words, "words", 0, "TEXT", WV_COMPLETE_ANY,
		"only records of a weft_log() whose format has this text (beside)"),
	WV_TEXT(struct options, view.fields, "fields", 0, "NAMES", WV_COMPLETE_ANY,
		"only these values, by the names that --json shows, with commas between; and only "
		"records that have one (beside)"),
	{ 0 }
};

/* Reads beside other readers. */
static int read_beside(struct options *options, const char *name, struct wv_error *error)
{
	if (!name)
		return wv_usage(error, "read", "name the aspect");
	if (strlen(name) >= WEFT_NAME_MAX)
		return wv_fail(error, WV_E_STATE, "no aspect has a name as long as that");
	if (options->view.pid > UINT32_MAX)
		return wv_usage(error, "read", "--pid is the number of a process");
	options->view.name = name;
	options->view.follow = options->follow;
	options->view.json = options->json;
	options->view.interrupted = &interrupted;
	return wv_read_view(&options->view, error);
}

static int run(int argc, char **argv, struct wv_error *error)
{
	/* SA_RESTART: a signal does not interrupt the output of a line. */
	const struct sigaction end = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	struct options options = { 0 };
	struct wv_device device;
	int first, err = wv_options_parse(&wv_cmd_read, argc, argv, &options, &first, error);

	if (err)
		return err;
	if (argc - first > 1)
		return wv_usage(error, "read", "name one aspect, or none for all");
	if (first < argc && is_recording(argv[first])) {
		if (options.follow)
			return wv_usage(error, "read", "--follow is for an aspect in the kernel");
		sigaction(SIGINT, &end, NULL);
		return read_recording(argv[first], options.json, error);
	}
	if (options.beside || options.view.newest || options.view.pid || options.view.at.n ||
	    options.view.words || options.view.fields || wv_privilege_denial().found) {
		sigaction(SIGINT, &end, NULL);
		sigaction(SIGTERM, &end, NULL);
		return read_beside(&options, argv[first], error);
	}
	err = wv_device_open(&device, error);
	if (err)
		return err;
	/*
	 * A signal only ends the loop, not the process: records that have been taken from the
	 * kernel must still be printed.
	 */
	sigaction(SIGINT, &end, NULL);
	sigaction(SIGTERM, &end, NULL);
	err = read_records(&(struct reader){ .device = &device,
					     .name = argv[first],
					     .follow = options.follow,
					     .json = options.json },
			   error);
	wv_device_close(&device);
	return err;
}

const struct wv_cmd wv_cmd_read = {
	.name = "read",
	.run = run,
	.summary = "show the records that advice wrote",
	.usage = "[options] [NAME|RECORDING]",
	.options = known,
	.operands = { WV_COMPLETE_WOVEN },
	.notes = "A record is read once. A line is: time (seconds since boot), CPU, command and "
		 "thread, the aspect where several\n"
		 "are read, the shadow, the text. Records lost to a full buffer are reported where "
		 "they were lost, and their number at the end.\n"
		 "Without --follow it ends with what was there when it began.\n"
		 "A folder is a recording (`weft record`), of this or another machine. Its records "
		 "stay in it. A pointer (%p)\n"
		 "is the pointer itself there.\n"
		 "Without privilege, it shows records of your own tasks, of an aspect that root "
		 "has published (`weft publish`), and\n"
		 "leaves them for others. As root it does so with --beside, or if something is "
		 "chosen. Who is more than half a\n"
		 "buffer late then loses records, and is told how many.\n",
};
