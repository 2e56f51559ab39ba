/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs an aspect's module for `weft run` and for the one-liners: weaves the aspect, unweaves it
 * when a command has ended or a time is over, and shows the aspect's records and metrics. The
 * aspect is bound to this process: weft.ko unweaves the aspect if the process dies before.
 */
#ifndef WV_RUN_SESSION_H
#define WV_RUN_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "cmds/session-page.h"
#include "live/apply.h"

enum wv_session_until {
	WV_UNTIL_COMMAND, /* until the command has ended */
	WV_UNTIL_MODULES, /* until the modules that the aspect waits for are loaded, or a signal */
	WV_UNTIL_SIGNAL,  /* until a signal, usually SIGINT, or until .lasts is over */
};

/*
 * Functions of a caller that wants the results of a session. .woven gets the summary when the
 * aspect has been woven. .counted gets the metrics at the end, and the session does not print them.
 * Both return 0 or a negative enum wv_code.
 */
struct wv_session_taker {
	void *context;
	int (*woven)(void *context, const struct wv_aspect_module *module,
		     const struct wv_summary *summary, struct wv_error *error);
	int (*counted)(void *context, const struct wv_readings *readings, struct wv_error *error);
};

struct wv_session {
	struct wv_weave_options how;
	enum wv_session_until until;
	char **command; /* the command and its arguments; NULL at the end */
	uint64_t lasts; /* maximum duration in nanoseconds; 0: no limit */
	/*
	 * .output: the file for the records. If it is NULL, the records go to standard output: with
	 * WV_UNTIL_SIGNAL at once, else at the end of the session.
	 * .aside: if true, the report of the metrics goes where the records go. If .output is NULL
	 * and .until is not WV_UNTIL_SIGNAL, both then go to standard error, so that standard
	 * output has nothing but the command's own output.
	 */
	const char *output;
	bool aside;
	/*
	 * the command line names the module, which was compiled before: print which joinpoints it
	 * may lack
	 */
	bool given;
	bool quiet;   /* print nothing on standard error but warnings and errors */
	bool brief;   /* print only the totals of the summary */
	bool verbose; /* print a line for each refused shadow */
	bool json;    /* records and metrics as JSON */
	bool bare;    /* print only the text of records of start and end blocks */
	bool changes; /* .changes of struct wv_record_printer (report/records.h) */
	struct wv_page_wanted page;
	/*
	 * .recording: the folder of a recording, to which records are written instead of being
	 * shown; NULL: records are shown. .buffer: size of each CPU's ring in bytes while a
	 * recording is written; 0: the default of wv_recorder_begin().
	 */
	const char *recording;
	uint64_t buffer;
	bool unnamed; /* the caller removes the recording: the user is not told its name */
	const struct wv_session_taker *taker; /* NULL: metrics are printed */
	const char *sort; /* head of the column by which tables are sorted; NULL: unsorted */
	size_t top;	  /* maximum number of rows of a table; 0: all */
	/* NULL, or set to whether a signal has ended the session; only without a command */
	bool *interrupted_ret;
	bool open;	  /* show all open pairs of the metrics, not only the oldest */
	bool watch;	  /* without a command: update the metrics every second, in place */
};

/*
 * Weaves the module file @path, and does all that follows, up to the report. With a command, sets
 * *@status_ret to the command's exit status as in a shell's $?, even if the command could not be
 * started. Without a command, sets *@status_ret to 128 + N if signal N has ended the session, else
 * to 0. But if ^C has ended a session with WV_UNTIL_SIGNAL, sets *@status_ret to 0.
 */
int wv_session_run(const struct wv_session *session, const char *path, int *status_ret,
		   struct wv_error *error);

#endif /* WV_RUN_SESSION_H */
