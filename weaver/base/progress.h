/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How far a long piece of work is: told by whoever does it, at no more cost than a store, and
 * shown, or not, by somebody else (cmds/show-progress.h). There is one at a time.
 */
#ifndef WV_PROGRESS_H
#define WV_PROGRESS_H

#include <stddef.h>

/* What comes now, a literal: "line tables". Nothing of it is done. */
void wv_progress_stage(const char *stage);

/* How much of the stage is done; @total 0: nobody knows of how much. */
void wv_progress_count(size_t done, size_t total);

struct wv_progress {
	const char *stage; /* NULL: none was told of */
	size_t done, total;
};

/* Any thread. */
struct wv_progress wv_progress_now(void);

#endif /* WV_PROGRESS_H */
