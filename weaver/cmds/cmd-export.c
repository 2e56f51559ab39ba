// SPDX-License-Identifier: GPL-2.0-or-later
/* `weft export`: converts a recording to a format that another tool reads. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/notation.h"
#include "cmds/cmd.h"
#include "cmds/options.h"
#include "cmds/recording-notes.h"
#include "trace/perfetto.h"
#include "trace/recording.h"

struct options {
	const char *perfetto;
};

static int write_all(struct wv_recording *recording, FILE *out, struct wv_error *error)
{
	struct wv_perfetto perfetto = { .out = out, .about = &recording->table.about };
	const struct weft_record *record;
	int err;

	do {
		struct weft_joinpoint_text point;

		err = wv_recording_next(recording, &record, error);
		if (err || !record)
			break;
		wv_recording_joinpoint(recording, record->joinpoint, &point);
		err = wv_perfetto_add(&perfetto, record, &point, error);
	} while (!err && !ferror(out));
	wv_perfetto_deinit(&perfetto);
	return err;
}

/* Writes the file @path. If that fails, removes the file, unless it is a device or the like. */
static int write_file(struct wv_recording *recording, const char *path, struct wv_error *error)
{
	FILE *out = fopen(path, "we");
	struct stat status;
	int err, why;

	if (!out)
		return wv_fail_errno(error, errno, "%s", path);
	errno = 0;
	err = write_all(recording, out, error);
	why = ferror(out) ? errno : 0;
	if (fclose(out) && !why)
		why = errno;
	if (!err && why)
		err = wv_fail_errno(error, why, "%s", path);
	if (err && !stat(path, &status) && S_ISREG(status.st_mode))
		unlink(path);
	return err;
}

static int export(const char *path, const char *to, struct wv_error *error)
{
	_cleanup_free_ struct wv_recording *recording = malloc(sizeof(*recording));
	uint64_t lost;
	int err;

	if (!recording)
		return wv_no_memory(error);
	err = wv_recording_open(path, recording, error);
	if (err)
		return err;
	err = write_file(recording, to, error);
	lost = wv_recording_lost(recording);
	if (!err)
		wv_note_cut_off(recording);
	if (!err && lost)
		fprintf(stderr, "weft: note: %s lost while it was recorded\n",
			wv_count_text(lost, "record").text);
	wv_recording_close(recording);
	return err;
}

static const struct wv_option known[] = {
	WV_TEXT(struct options, perfetto, "perfetto", 'p', "FILE", WV_COMPLETE_FILE,
		"write a trace of Perfetto, for https://ui.perfetto.dev"),
	{ 0 }
};

static int run(int argc, char **argv, struct wv_error *error)
{
	struct options options = { 0 };
	int first, err = wv_options_parse(&wv_cmd_export, argc, argv, &options, &first, error);

	if (err)
		return err;
	if (argc - first != 1)
		return wv_usage(error, "export", "name one recording");
	if (!options.perfetto)
		return wv_usage(error, "export", "say what to write: --perfetto FILE");
	return export(argv[first], options.perfetto, error);
}

const struct wv_cmd wv_cmd_export = {
	.name = "export",
	.run = run,
	.summary = "write a recording as a trace of another tool",
	.usage = "--perfetto FILE RECORDING",
	.options = known,
	.operands = { WV_COMPLETE_FOLDER },
	.notes = "A recording is what `weft record` has written; babeltrace2 and Trace Compass\n"
		 "read it as it is. In the trace, each task and each CPU has a track, with an\n"
		 "event for each record. A record with the value $elapsed is a slice, and a value\n"
		 "with a unit is a counter, too.\n",
	.examples = "weft export --perfetto skb.pftrace skb.ctf\n",
};
