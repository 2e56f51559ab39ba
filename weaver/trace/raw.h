/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A record as it is in a ring and in a recording (runtime/abi-record.h). */
#ifndef WV_TRACE_RAW_H
#define WV_TRACE_RAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/table.h"

struct wv_raw {
	size_t bytes;	 /* record with its padding, a multiple of WEFT_RECORD_ALIGN */
	bool is_state;	 /* a state record; only .bytes, .time and .task are set */
	uint64_t time;	 /* nanoseconds of CLOCK_MONOTONIC */
	/*
	 * The last state record: whose hit this record is of. .lost: number of records lost before
	 * this record, since the last one that was taken.
	 */
	struct weft_raw_state task;
	uint32_t joinpoint;
	/* .values is the record's text, NUL-terminated, instead of its arguments */
	bool has_text;
	const uint8_t *values;
	size_t size;	 /* bytes at .values, with the padding */
	const struct wv_trace_statement *statement;
};

/*
 * Parses the record at @at, where @left bytes may be read. On entry @raw->time and @raw->task are
 * those of the previous record of the stream. Returns NULL, or a text that says what is wrong. The
 * bytes are not trusted.
 */
const char *wv_raw_parse(const struct wv_trace_table *table, const uint8_t *at, size_t left,
			 struct wv_raw *raw);

/* Returns the size of the record in bytes without its padding. */
size_t wv_raw_content(const struct wv_raw *raw);

#endif /* WV_TRACE_RAW_H */
