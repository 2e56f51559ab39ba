/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a recording, on any machine. The records of all CPUs are returned in the order of their
 * times, each in the form in which /dev/weft returns records. The files are not trusted.
 */
#ifndef WV_RECORDING_H
#define WV_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/vec.h"
#include "runtime/abi.h"
#include "trace/packet.h"
#include "trace/raw.h"
#include "trace/table.h"

/* The file of one CPU. .bytes is the whole file, .size bytes, mapped. */
struct wv_trace_stream {
	char name[32];
	const uint8_t *bytes;
	size_t size;
	/* bytes of the complete packets that were read so far, from the file's beginning */
	size_t whole;
	const uint8_t *at, *end; /* those records of the current packet that were not taken yet */
	struct wv_raw raw;	 /* the record at .at, or the one before it */
	uint32_t cpu;
	uint64_t lost; /* wv_packet.lost of the current packet */
};

struct wv_recording {
	const char *path;
	struct wv_trace_table table;
	WV_VEC(struct wv_trace_stream) streams;
	uint64_t records; /* number of records read so far */
	/* the record that wv_recording_next() returned last */
	uint64_t record[512];
};

/*
 * Opens the recording in the folder @path. Returns -WV_E_FORMAT if @path is not a recording, or is
 * damaged. The string @path must stay valid until wv_recording_close().
 */
int wv_recording_open(const char *path, struct wv_recording *ret, struct wv_error *error);
void wv_recording_close(struct wv_recording *recording);

/*
 * Sets *@ret to the next record, or to NULL if there are no more. Returns -WV_E_FORMAT if a stream
 * is damaged where the next record should be. If a stream ends in the middle of a packet, this
 * packet is not read; see wv_recording_cut_off().
 */
int wv_recording_next(struct wv_recording *recording, const struct weft_record **ret,
		      struct wv_error *error);

/*
 * Takes the next record of @stream: fills @ret with it, and sets *@any_ret to whether there was
 * one.
 */
int wv_recording_next_raw(const struct wv_recording *recording, struct wv_trace_stream *stream,
			  struct wv_raw *ret, bool *any_ret, struct wv_error *error);

/*
 * Returns how many records were lost while the recording was made, as far as the packets read so
 * far say.
 */
uint64_t wv_recording_lost(const struct wv_recording *recording);

/*
 * Returns how many bytes at the end of @stream belong to an incomplete packet. There are such bytes
 * if the recorder was killed while it wrote. The result is valid when all records of @stream were
 * read.
 */
size_t wv_recording_cut_off(const struct wv_trace_stream *stream);

/*
 * Fills @ret with the names of the joinpoint @index, or of the start or end block
 * (WEFT_JOINPOINT_START, WEFT_JOINPOINT_END). If there is no such joinpoint, sets only the name of
 * the aspect.
 */
void wv_recording_joinpoint(const struct wv_recording *recording, uint32_t index,
			    struct weft_joinpoint_text *ret);

#endif /* WV_RECORDING_H */
