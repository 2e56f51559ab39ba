/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes an aspect's records to a recording while the aspect runs (trace/packet.h describes the
 * files). The rings of all CPUs are mapped, and a span of records is written straight from the
 * ring, in one write. The kernel forgets the records of a span only after they are written. If the
 * disk is full, records stay in the rings. If a ring is full, too, later records are lost and
 * counted.
 */
#ifndef WV_RECORDER_H
#define WV_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/vec.h"
#include "live/growing-file.h"
#include "live/requests.h"
#include "module/module-file.h"
#include "trace/table.h"

struct wv_recorded_cpu {
	const uint8_t *ring; /* mapping of the CPU's ring; NULL: there is no CPU of this number */
	struct wv_growing stream; /* made with the CPU's first packet */
	uint64_t told; /* the number of lost records in the CPU's last packet */
	bool written;  /* the current span of this CPU is in .stream */
};

struct wv_recorder {
	const struct wv_device *device;
	const struct wv_aspect_module *module;
	const char *path; /* folder of the recording */
	struct wv_trace_about about;
	char host[65], release[65], build_id[2 * WEFT_BUILD_ID_MAX + 1];
	uint64_t ring_size; /* size of each ring in bytes */
	WV_VEC(struct wv_recorded_cpu) cpus; /* indexed by the CPU's number */
	WV_VEC(struct weft_span) spans;	     /* the current span of each of .cpus */
	bool taken; /* some of .spans are not written yet */
	/* only .statements is used: the statements in the files, without their texts */
	struct wv_trace_table described;
	WV_VEC(bool) known; /* for each statement's index: whether the files have the statement */
	bool ragged;  /* records of some of the statements may end with padding */
	bool symbols; /* some of the statements print addresses as names of functions */
	struct wv_growing metadata, table; /* files of the recording (trace/table.h) */
	int full; /* errno of the write that failed, if records wait for a later try; else 0 */
	/* number of records, and of bytes with the packets' headers, in the streams of the CPUs */
	uint64_t records, bytes;
	uint64_t lost;		 /* number of records lost in the rings so far */
	bool any;		 /* .spans has records */
	unsigned int fill;	 /* size of the longest of .spans, in percent of a ring */
};

/* Makes the folder @path, which must not exist. The string @path must outlive the recorder. */
int wv_recorder_create(struct wv_recorder *recorder, const char *path, struct wv_error *error);

/*
 * Begins to record an aspect whose module is loaded, and which is not woven yet. @buffer is the
 * size of each CPU's ring in bytes; 0: WV_RECORDER_BUFFER bytes, or fewer if there are many CPUs.
 */
enum { WV_RECORDER_BUFFER = 4 << 20 };
int wv_recorder_begin(struct wv_recorder *recorder, const struct wv_device *device,
		      const struct wv_aspect_module *module, uint64_t buffer,
		      struct wv_error *error);

/*
 * Writes the records that the rings have. If the disk is full, returns 0 and sets recorder->full;
 * the caller may call this function again later.
 */
int wv_recorder_drain(struct wv_recorder *recorder, struct wv_error *error);

/*
 * Returns how many nanoseconds to wait before the next wv_recorder_drain(): the fuller the rings
 * were, the fewer. @last is what the last call has returned.
 */
uint64_t wv_recorder_pause(const struct wv_recorder *recorder, uint64_t last);

/*
 * Ends the recording after the aspect was unwoven. Writes the last records, how many records were
 * lost after them, and the names of functions (recorded-symbols.h). Returns an error if the disk is
 * full; the records that were not written are then still in the kernel.
 */
int wv_recorder_end(struct wv_recorder *recorder, struct wv_error *error);

/* Returns how many records the kernel still has because they could not be written. */
uint64_t wv_recorder_unwritten(const struct wv_recorder *recorder);

/*
 * Removes the files that wv_recorder_create() and wv_recorder_begin() have made. The caller does
 * not call this after a record was written.
 */
void wv_recorder_discard(struct wv_recorder *recorder);

/* @recorder may be all zero. */
void wv_recorder_deinit(struct wv_recorder *recorder);

#endif /* WV_RECORDER_H */
