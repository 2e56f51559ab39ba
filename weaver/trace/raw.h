/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A record as it is in a ring and in a recording (runtime/abi-record.h). */
#ifndef WV_TRACE_RAW_H
#define WV_TRACE_RAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/table.h"

struct wv_raw {
	size_t bytes;	 /* of the record, a multiple of WEFT_RECORD_ALIGN */
	bool is_state;	 /* then it has no statement, only .time and .task */
	uint64_t time;	 /* nanoseconds */
	/* whose hit it is; .lost: records lost just before it */
	struct weft_raw_state task;
	uint32_t joinpoint;
	bool has_text;	 /* the values are its text, NUL-terminated */
	const uint8_t *values;
	size_t size;	 /* bytes of the values, with padding */
	const struct wv_trace_statement *statement;
};

/*
 * Parses the record at @at, of which @left bytes may be read. @raw->time and ->task are those of
 * the record before it, and become its own. Returns NULL, or what is wrong. Nothing is trusted.
 */
const char *wv_raw_parse(const struct wv_trace_table *table, const uint8_t *at, size_t left,
			 struct wv_raw *raw);

/* The bytes of the record without its padding. */
size_t wv_raw_content(const struct wv_raw *raw);

#endif /* WV_TRACE_RAW_H */
