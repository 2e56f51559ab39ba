/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs the programs that a preparation needs, and reads their output. */
#ifndef WV_PROGRAMS_H
#define WV_PROGRAMS_H

#include <stdbool.h>

#include "base/child.h"
#include "base/str.h"
#include "prepare/prepare.h"

/* What a message tells the user to do after a run that was interrupted or found no disk space. */
#define WV_GO_ON "run it again: it goes on where it stopped"

/*
 * Runs the program @argv in .folder of @prepare, and adds its output to .log. Sets *@ok_ret to
 * whether the program exited with 0. Returns an error as wv_child_run() does, for example if the
 * program does not exist, or if weft was interrupted.
 */
int wv_program_run(struct wv_prepare *prepare, char *const *argv, bool *ok_ret,
		   struct wv_error *error);

/*
 * Runs the program @argv, and replaces @out by its output. Sets *@ok_ret to whether the program
 * exited with 0. A program that does not exist is no error: *@ok_ret is then false. @environment is
 * .environment of struct wv_child: whether the program gets the whole environment.
 */
int wv_program_text(char *const *argv, bool environment, struct wv_str *out, bool *ok_ret,
		    struct wv_error *error);

/* Returns whether PATH has a program of this name. */
bool wv_program_exists(const char *name);

/*
 * Returns -@code, with the message "@what: REASON; the whole log is FILE". REASON is that line
 * after @offset in the log which most probably names the reason for the failure. If the disk is
 * full, the message also says what the user can do.
 */
int wv_program_fail(const struct wv_prepare *prepare, long offset, enum wv_code code,
		    const char *what, struct wv_error *error);

/*
 * Returns whether the file system of .folder is full, or whether the log says after @offset that it
 * was.
 */
bool wv_program_lacked_space(const struct wv_prepare *prepare, long offset);

/* Returns the size of the log, to be passed to the functions above as @offset later. */
long wv_program_log_size(const struct wv_prepare *prepare);

/* Replaces @out by a whole text file. False: it cannot be read, or memory ran out. */
bool wv_read_text(const char *path, struct wv_str *out);

#endif /* WV_PROGRAMS_H */
