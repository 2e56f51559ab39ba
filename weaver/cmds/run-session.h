/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a module to its report: it is woven, bound to this process, until a command or a time ends;
 * then it is unwoven, and what it has recorded and counted is shown. For `weft run` and for the
 * one-liners.
 */
#ifndef WV_RUN_SESSION_H
#define WV_RUN_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "live/apply.h"

enum wv_session_until {
	WV_UNTIL_COMMAND, /* has ended */
	WV_UNTIL_MODULES, /* that the aspect waits for have been loaded, or a signal */
	WV_UNTIL_SIGNAL,  /* or .lasts; SIGINT is the usual end */
};

struct wv_session {
	struct wv_weave_options how;
	enum wv_session_until until;
	char **command; /* with its arguments; NULL at the end */
	uint64_t lasts; /* nanoseconds; 0: no limit */
	/*
	 * the file for the records; NULL: standard output, if a command runs when it has ended.
	 * With .aside the report of the metrics goes to the same file, and NULL is standard error
	 * if a command runs: what it prints stays its own.
	 */
	const char *output;
	bool aside;
	bool given;   /* the module was named, not compiled now: what it may lack is said */
	bool quiet;   /* of what goes to standard error only what is wrong */
	bool brief;   /* no line for each refused shadow */
	bool json;    /* records and metrics as JSON */
	bool bare;    /* of what start and end blocks have recorded the text alone */
	bool changes; /* records as report/records.h says */
};

/*
 * Weaves the module file @path and so on. *@status_ret: the command's exit status as a shell has it
 * in $?, also if it could not be started; without a command 0, or 128 + N if signal N ended it.
 */
int wv_session_run(const struct wv_session *session, const char *path, int *status_ret,
		   struct wv_error *error);

#endif /* WV_RUN_SESSION_H */
