/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes an aspect's records to a recording while they come (trace/packet.h has the files). The
 * rings are mapped, and what is in them goes from there to the files as it is, in one write for all
 * records of a CPU. Only when it is written the kernel is told to forget it: on a full disk the
 * records stay in the rings, and are lost, and counted, when these are full.
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
	uint64_t told; /* records lost, as of the last packet */
	bool written;  /* of the current spans: this one is in the file */
};

struct wv_recorder {
	const struct wv_device *device;
	const struct wv_aspect_module *module;
	const char *path; /* the recording's folder */
	struct wv_trace_about about;
	char host[65], release[65], build_id[2 * WEFT_BUILD_ID_MAX + 1];
	uint64_t ring_size;
	WV_VEC(struct wv_recorded_cpu) cpus;
	WV_VEC(struct weft_span) spans;
	bool taken; /* the spans are not all written yet */
	/* the statements in the files, without their texts; which indices have been asked for */
	WV_VEC(struct wv_trace_statement) statements;
	WV_VEC(bool) known;
	bool symbols; /* some of them have names of functions, from addresses */
	struct wv_growing metadata, table;
	int full; /* the errno of the last write: why records stay in the kernel; 0: none does */
	uint64_t records, bytes; /* written */
	uint64_t lost;		 /* in the rings, so far */
	bool any;		 /* of the last spans: there were records */
	unsigned int fill;	 /* percent of a ring that the longest span was */
};

/* Makes the folder @path, which must not exist. Both strings must outlive the recorder. */
int wv_recorder_create(struct wv_recorder *recorder, const char *path, struct wv_error *error);

/*
 * Begins: for an aspect whose module is loaded and that is not woven yet. @buffer: bytes of each
 * CPU's ring; 0: WV_RECORDER_BUFFER, or less if there are many CPUs.
 */
enum { WV_RECORDER_BUFFER = 4 << 20 };
int wv_recorder_begin(struct wv_recorder *recorder, const struct wv_device *device,
		      const struct wv_aspect_module *module, uint64_t buffer,
		      struct wv_error *error);

/*
 * Writes the records that there are. If the disk is full, it returns 0 and sets ->full; it can be
 * called again.
 */
int wv_recorder_drain(struct wv_recorder *recorder, struct wv_error *error);

/*
 * How long to wait until the next wv_recorder_drain(), nanoseconds, from how full the rings were.
 * @last: the last wait.
 */
uint64_t wv_recorder_pause(const struct wv_recorder *recorder, uint64_t last);

/*
 * The aspect is unwoven: writes the last records, how many were lost after them, and the symbols.
 * -WV_E_FAILURE: the disk is full. The records are in the kernel then.
 */
int wv_recorder_end(struct wv_recorder *recorder, struct wv_error *error);

/* Records that are in the kernel and could not be written. */
uint64_t wv_recorder_unwritten(const struct wv_recorder *recorder);

/* Removes what wv_recorder_create() and wv_recorder_begin() have made: nothing was recorded. */
void wv_recorder_discard(struct wv_recorder *recorder);

/* @recorder may be all zero. */
void wv_recorder_deinit(struct wv_recorder *recorder);

#endif /* WV_RECORDER_H */
