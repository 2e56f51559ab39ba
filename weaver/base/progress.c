// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Progress of a long operation; see progress.h. A stage and its numbers are stored one after
 * another. So another thread may briefly read the name of one stage and the numbers of another.
 */
#include <stdatomic.h>
#include <stdbool.h>

#include "base/progress.h"

static _Atomic(const char *) stage_now;
static atomic_size_t done_now, total_now;

static _Thread_local bool quiet;

void wv_progress_quiet(void)
{
	quiet = true;
}

void wv_progress_stage(const char *stage)
{
	if (quiet)
		return;
	wv_progress_count(0, 0);
	atomic_store_explicit(&stage_now, stage, memory_order_relaxed);
}

void wv_progress_count(size_t done, size_t total)
{
	if (quiet)
		return;
	atomic_store_explicit(&done_now, done, memory_order_relaxed);
	atomic_store_explicit(&total_now, total, memory_order_relaxed);
}

struct wv_progress wv_progress_now(void)
{
	return (struct wv_progress){
		.stage = atomic_load_explicit(&stage_now, memory_order_relaxed),
		.done = atomic_load_explicit(&done_now, memory_order_relaxed),
		.total = atomic_load_explicit(&total_now, memory_order_relaxed),
	};
}
