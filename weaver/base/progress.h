/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Progress of a long operation. The code that does the work reports it, which costs a few stores;
 * cmds/show-progress.h may display it. The whole program has one progress.
 */
#ifndef WV_PROGRESS_H
#define WV_PROGRESS_H

#include <stddef.h>

/*
 * Begins a stage, with progress 0. @stage must be a string literal, such as "line tables": only the
 * pointer is kept.
 */
void wv_progress_stage(const char *stage);

/* Sets how much of the stage is done; @total 0: the total is unknown. */
void wv_progress_count(size_t done, size_t total);

/* Makes this thread's later calls of the functions above do nothing. */
void wv_progress_quiet(void);

struct wv_progress {
	const char *stage; /* NULL: no stage was reported */
	size_t done, total;
};

/* Returns the progress that was reported last. May be called from any thread. */
struct wv_progress wv_progress_now(void);

#endif /* WV_PROGRESS_H */
