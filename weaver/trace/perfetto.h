/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a recording as a trace of Perfetto, for ui.perfetto.dev (schema: perfetto.proto):
 *
 *  - a track for each task, with an event for each of its records; a track for each CPU, with the
 *    same events, named by their task, and with its losses;
 *  - a record that has a value `$elapsed`, at the end of a pair, is a slice that begins this much
 *    earlier, on a track below the task's;
 *  - a value with a unit, but for `$elapsed`, is also a value of a counter.
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
 * What a track is for. The comments say what identifies a track among those of its type. Tracks of
 * two types may have equal identifiers: the type is a part of the key.
 */
enum wv_perfetto_type {
	WV_PERFETTO_PROCESS, /* the pid */
	WV_PERFETTO_THREAD,  /* the tid; in the upper half the pid */
	WV_PERFETTO_IDLE,    /* an idle task: the number of its CPU */
	WV_PERFETTO_CPU,     /* the number of the CPU */
	WV_PERFETTO_CPUS,    /* 0: there is one such track, the parent of all CPUs' tracks */
	WV_PERFETTO_LANE,    /* the parent track; in the upper half the lane's number */
	WV_PERFETTO_COUNTER, /* the hash of the counter's name */
};

struct wv_perfetto_key {
	uint64_t type, id;
};

/* A slice that lies within no other slice of its lane. */
struct wv_perfetto_slice {
	uint64_t begin, end;
};

struct wv_perfetto_track {
	struct wv_perfetto_key key;
	char comm[17]; /* of a thread or process: its name, as it was written last */
	WV_VEC(struct wv_perfetto_slice) slices; /* of a lane, by their ends */
};

struct wv_perfetto {
	FILE *out;
	const struct wv_trace_about *about;
	WV_VEC(struct wv_perfetto_track) tracks; /* a track's uuid is its position + 1 */
	struct wv_hash by_key;
	uint64_t packets;
	bool begun, failed; /* failed: memory is short */
};

/*
 * Adds a record, as wv_recording_next() returns it. @point: its joinpoint. Errors of ->out are to
 * be looked for at the end.
 */
int wv_perfetto_add(struct wv_perfetto *perfetto, const struct weft_record *record,
		    const struct weft_joinpoint_text *point, struct wv_error *error);
void wv_perfetto_deinit(struct wv_perfetto *perfetto);

#endif /* WV_PERFETTO_H */
