/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a recording as a trace of Perfetto, for ui.perfetto.dev (schema: perfetto.proto):
 *
 * - Each task has a track, with an event for each of its records. Each CPU has a track with the
 *   same events, named by their tasks, and with an event where records were lost.
 * - If a record has a value `$elapsed`, as at the end of a pair, it becomes a slice that ends at
 *   the record's time and is $elapsed long. Slices are on tracks below the task's, its lanes.
 * - A value with a unit, except `$elapsed`, is also a value of a counter.
 */
#ifndef WV_PERFETTO_H
#define WV_PERFETTO_H

#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/vec.h"
#include "runtime/abi.h"
#include "trace/table.h"

/*
 * What a track is for. The comments say which number (wv_perfetto_key.id) identifies a track among
 * the tracks of its type. Tracks of two types may have equal numbers.
 */
enum wv_perfetto_type {
	WV_PERFETTO_PROCESS, /* the pid */
	WV_PERFETTO_THREAD,  /* the tid, and in the upper 32 bits the pid */
	WV_PERFETTO_IDLE,    /* an idle task: the number of its CPU */
	WV_PERFETTO_CPU,     /* the number of the CPU */
	WV_PERFETTO_CPUS,    /* 0: there is only one such track, the parent of all CPUs' tracks */
	/* the uuid of the parent track, and in the upper 32 bits the lane's number */
	WV_PERFETTO_LANE,
	/* the hash of its unit, and in the upper 32 bits the hash of its name */
	WV_PERFETTO_COUNTER,
};

struct wv_perfetto_key {
	uint64_t type, id;
};

/* A slice that no later slice of its lane encloses. The times are in nanoseconds. */
struct wv_perfetto_slice {
	uint64_t begin, end;
};

struct wv_perfetto_track {
	struct wv_perfetto_key key;
	/* for a thread or process: its name in the last description that was written */
	char comm[17];
	/* for a lane, in ascending order; they do not overlap */
	WV_VEC(struct wv_perfetto_slice) slices;
};

struct wv_perfetto {
	FILE *out;
	const struct wv_trace_about *about;
	WV_VEC(struct wv_perfetto_track) tracks; /* a track's uuid is its index here + 1 */
	struct wv_hash by_key;
	uint64_t packets;
	bool begun, failed; /* .begun: a record was added. .failed: out of memory. */
};

/*
 * Adds a record, as wv_recording_next() returns it. @point: the record's joinpoint. Does not check
 * for errors of perfetto->out: the caller calls ferror() after the last record.
 */
int wv_perfetto_add(struct wv_perfetto *perfetto, const struct weft_record *record,
		    const struct weft_joinpoint_text *point, struct wv_error *error);
void wv_perfetto_deinit(struct wv_perfetto *perfetto);

#endif /* WV_PERFETTO_H */
