/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs the programs that a preparation needs, and reads their output. */
#ifndef WV_PROGRAMS_H
#define WV_PROGRAMS_H

#include <stdbool.h>

#include "base/child.h"
#include "base/str.h"
#include "prepare/prepare.h"

/* Advice in the message after an interrupt. */
#define WV_GO_ON "run it again: it goes on where it stopped"

/*
 * Runs a program in .folder of @prepare; its output is added to .log. Sets *@ok_ret to whether it
 * exited with 0. Returns -WV_E_FAILURE if there is no such program, or weft was interrupted.
 */
int wv_program_run(struct wv_prepare *prepare, char *const *argv, bool *ok_ret,
		   struct wv_error *error);

/*
 * Runs a program, and replaces @out by its output. @environment: as in struct wv_child. A program
 * that does not exist is no error: *@ok_ret is then false.
 */
int wv_program_text(char *const *argv, bool environment, struct wv_str *out, bool *ok_ret,
		    struct wv_error *error);

/* Returns whether PATH has a program of this name. */
bool wv_program_exists(const char *name);

/*
 * Fails with -@code and "@what: REASON; the whole log is FILE". REASON is the line in the log after
 * @offset that most probably names the reason. If that is a full disk, the message ends with what
 * to do.
 */
int wv_program_fail(const struct wv_prepare *prepare, long offset, enum wv_code code,
		    const char *what, struct wv_error *error);

/*
 * Returns whether no space is left for .folder of @prepare, or a program has said so after @offset
 * of the log.
 */
bool wv_program_lacked_space(const struct wv_prepare *prepare, long offset);

/* Returns the size of the log, to be passed to the functions above as @offset later. */
long wv_program_log_size(const struct wv_prepare *prepare);

/* Replaces @out by a whole text file. False: it cannot be read, or memory ran out. */
bool wv_read_text(const char *path, struct wv_str *out);

#endif /* WV_PROGRAMS_H */
