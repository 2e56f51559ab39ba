/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes an aspect's records to a recording while the aspect runs (trace/packet.h describes the
 * files). The rings of all CPUs are mapped, and the records of one CPU are written straight from
 * its ring, in one write. The kernel is told to forget records only after they are written. On a
 * full disk the records stay in the rings; once the rings are full, later records are lost and
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
	const uint8_t *ring;
	struct wv_growing stream;
	uint64_t told; /* number of lost records, as the last packet says */
	bool written;  /* the current span of this CPU is in the file */
};

struct wv_recorder {
	const struct wv_device *device;
	const struct wv_aspect_module *module;
	const char *path; /* folder of the recording */
	struct wv_trace_about about;
	char host[65], release[65], build_id[2 * WEFT_BUILD_ID_MAX + 1];
	uint64_t ring_size;
	WV_VEC(struct wv_recorded_cpu) cpus;
	WV_VEC(struct weft_span) spans;
	bool taken; /* the spans are not all written yet */
	/* only ->statements: those in the files, without their texts; which indices are there */
	struct wv_trace_table described;
	WV_VEC(bool) known;
	bool ragged;  /* some of them may have padding after the last value */
	bool symbols; /* some of them have names of functions, from addresses */
	struct wv_growing metadata, table;
	int full; /* errno of the last write, if records stay in the kernel because of it; else 0 */
	/* what was written to the CPUs' streams: records; and bytes, with the packets' headers */
	uint64_t records, bytes;
	uint64_t lost;		 /* number of records lost in the rings so far */
	bool any;		 /* the last spans had records */
	unsigned int fill;	 /* size of the longest of the last spans, in percent of a ring */
};

/* Makes the folder @path, which must not exist. The string @path must outlive the recorder. */
int wv_recorder_create(struct wv_recorder *recorder, const char *path, struct wv_error *error);

/*
 * Begins a recording of an aspect whose module is loaded and that is not woven yet. @buffer is the
 * size of each CPU's ring in bytes; 0: WV_RECORDER_BUFFER, or less if there are many CPUs.
 */
enum { WV_RECORDER_BUFFER = 4 << 20 };
int wv_recorder_begin(struct wv_recorder *recorder, const struct wv_device *device,
		      const struct wv_aspect_module *module, uint64_t buffer,
		      struct wv_error *error);

/*
 * Writes the records that the rings have. If the disk is full, returns 0 and sets ->full; the
 * caller may call this function again later.
 */
int wv_recorder_drain(struct wv_recorder *recorder, struct wv_error *error);

/*
 * Returns how many nanoseconds to wait before the next wv_recorder_drain(), from how full the rings
 * were. @last is the previous such wait.
 */
uint64_t wv_recorder_pause(const struct wv_recorder *recorder, uint64_t last);

/*
 * Ends the recording after the aspect was unwoven. Writes the last records, how many were lost
 * after them, and the symbols. Returns -WV_E_FAILURE if the disk is full; the unwritten records are
 * then still in the kernel.
 */
int wv_recorder_end(struct wv_recorder *recorder, struct wv_error *error);

/* Returns how many records the kernel still has because they could not be written. */
uint64_t wv_recorder_unwritten(const struct wv_recorder *recorder);

/*
 * Removes the files that wv_recorder_create() and wv_recorder_begin() have made. Must not be called
 * when the recording has records, which would be lost.
 */
void wv_recorder_discard(struct wv_recorder *recorder);

/* @recorder may be all zero. */
void wv_recorder_deinit(struct wv_recorder *recorder);

#endif /* WV_RECORDER_H */
