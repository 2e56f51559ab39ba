/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a recording, on any machine: its records in the order of their times, each as the device
 * would have returned it. The files are not trusted.
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
#include "trace/table.h"

/* The stream of a CPU, which is mapped. */
struct wv_trace_stream {
	char name[32];
	const uint8_t *bytes;
	size_t size;
	size_t whole; /* bytes of whole packets that have been looked at; then: of all of them */
	const uint8_t *at, *end; /* the records of the current packet that are unread */
	uint32_t cpu;
	uint64_t lost; /* of the last packet */
};

struct wv_recording {
	const char *path;
	struct wv_trace_table table;
	WV_VEC(struct wv_trace_stream) streams;
	uint64_t records; /* read */
	/* the record that wv_recording_next() returns */
	uint64_t record[512];
};

/* -WV_E_FORMAT: @path is no recording, or a damaged one. @path must outlive it. */
int wv_recording_open(const char *path, struct wv_recording *ret, struct wv_error *error);
void wv_recording_close(struct wv_recording *recording);

/*
 * The next record; NULL: there are no more. -WV_E_FORMAT: the stream is damaged there. A last
 * packet that is cut off is left out, see wv_recording_cut_off().
 */
int wv_recording_next(struct wv_recording *recording, const struct weft_record **ret,
		      struct wv_error *error);

/* A record of one stream, as it is in the file. */
struct wv_raw {
	struct weft_raw_record head;
	const uint8_t *words; /* the arguments, of .size bytes */
	size_t size;
	const struct wv_trace_statement *statement;
};

/* The next record of @stream, which is taken. *@any_ret: there was one. */
int wv_recording_next_raw(const struct wv_recording *recording, struct wv_trace_stream *stream,
			  struct wv_raw *ret, bool *any_ret, struct wv_error *error);

/* Records that were lost while it was recorded, as far as they have been read. */
uint64_t wv_recording_lost(const struct wv_recording *recording);

/* Bytes of @stream that are no whole packet: its writer was stopped inside of one. */
size_t wv_recording_cut_off(const struct wv_trace_stream *stream);

/* Fills @ret with the names of the joinpoint @index; with empty strings if there is none. */
void wv_recording_joinpoint(const struct wv_recording *recording, uint32_t index,
			    struct weft_joinpoint_text *ret);

#endif /* WV_RECORDING_H */
