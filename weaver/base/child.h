/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs another program, without a shell, and waits for it. The program's input is empty, its output
 * goes to a file, and its address space is limited. A signal that would end weft ends the program
 * instead, by SIGTERM. So the caller goes on and can tidy up. If weft is killed, the program ends
 * as well. Only one such program runs at a time.
 */
#ifndef WV_CHILD_H
#define WV_CHILD_H

#include <signal.h>
#include <stdbool.h>

#include "base/error.h"

struct wv_child {
	char *const *argv;  /* program and arguments, NULL at the end; [0] is looked for in PATH */
	const char *folder; /* working folder of the child; NULL: that of weft */
	const char *log;    /* the file that the child's output is added to */
	/*
	 * If true, pass on the whole environment; else only PATH, HOME and TMPDIR, because a make
	 * that runs weft would add its own settings to the rest. In both cases LC_ALL is C, and
	 * TMPDIR the folder of wv_temporary_folder().
	 */
	bool environment;
	const char *advice; /* NULL, or text added to the message about an interrupt */
	/* NULL, or called a few times a second while the child runs, and once after it has ended */
	void (*tick)(void *context);
	void *context;
};

/*
 * Runs @child, and sets *@status_ret to its status as waitpid() returns it. If the child could not
 * be started, returns what wv_fail_errno() does. Returns -WV_E_FAILURE if:
 * - wv_temporary_folder() refuses $TMPDIR;
 * - a signal ended the child;
 * - weft got a signal that would have ended it ("interrupted").
 */
int wv_child_run(const struct wv_child *child, int *status_ret, struct wv_error *error);

/* Returns whether, while the last child ran, weft got a signal that would have ended it. */
bool wv_child_interrupted(void);

/*
 * From wv_signals_hold() to wv_signals_release(), a signal that would end weft does not do so. If a
 * child runs or is started later, the signal ends this child. Otherwise it ends weft at the
 * release. So the caller can remove its temporary files. Calls may be nested. Only one thread may
 * use them.
 */
void wv_signals_hold(void);
void wv_signals_release(void);

/*
 * Returns the signal mask before the first wv_signals_hold(); NULL if the signals are not held. It
 * is valid until the release.
 */
const sigset_t *wv_signals_before_hold(void);

/* As wv_child_run(); *@ok_ret is true if the child exited with 0. */
int wv_child_succeeds(const struct wv_child *child, bool *ok_ret, struct wv_error *error);

#endif /* WV_CHILD_H */
