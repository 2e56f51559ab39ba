/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of a recording: what `weft read` needs besides the streams. It names the aspect, the
 * machine and the kernel, and has the joinpoints, the weft_log() statements and the symbols that
 * records refer to. It is a text file. A line is a word and its values, separated by tabs; in a
 * value, \\, \t and \n stand for a backslash, a tab and a newline. Lines may be added at the end of
 * the file while records are written.
 */
#ifndef WV_TRACE_TABLE_H
#define WV_TRACE_TABLE_H

#include <stdint.h>

#include "base/error.h"
#include "base/str.h"
#include "base/vec.h"
#include "module/module-file.h"
#include "trace/fields.h"
#include "trace/packet.h"
#include "trace/render.h"

/*
 * Which aspect, machine and kernel a recording is from. The strings belong to the caller or to the
 * table's text.
 */
struct wv_trace_about {
	/*
	 * .host and .release are uname()'s nodename and release. .build_id is the kernel's, in
	 * hexadecimal.
	 */
	const char *aspect, *host, *release, *build_id;
	uint8_t uuid[WV_UUID_SIZE];
	/* CLOCK_REALTIME - CLOCK_MONOTONIC at the beginning of the recording, in nanoseconds */
	uint64_t offset;
	uint32_t packed; /* WEFT_PACKED_* flags of the kernel */
};

struct wv_trace_joinpoint {
	const char *what, *symbol, *function, *file, *module;
	uint32_t symbol_offset, line, column;
};

struct wv_trace_statement {
	/* the number of the statement in the events of its records: see WEFT_EVENT() */
	uint32_t index;
	enum weft_content content;
	/* .names: the arguments as the author wrote them, with the commas between them. */
	const char *format, *names;
	struct wv_argument_fields fields;
};

struct wv_trace_table {
	char *text; /* text of the file; the strings of the other members point into it */
	struct wv_trace_about about;
	/* the index of a joinpoint in this array is its number in records */
	WV_VEC(struct wv_trace_joinpoint) joinpoints;
	WV_VEC(struct wv_trace_statement) statements;
	/* sorted by address; the functions do not overlap */
	WV_VEC(struct wv_trace_symbol) symbols;
};

/* Each of these functions adds lines of the table to @out. */
void wv_trace_write_about(const struct wv_trace_about *about, struct wv_str *out);
void wv_trace_write_joinpoints(const struct wv_aspect_module *module, struct wv_str *out);
void wv_trace_write_statement(const struct wv_trace_statement *statement, struct wv_str *out);
void wv_trace_write_symbol(const struct wv_trace_symbol *symbol, struct wv_str *out);

/*
 * Reads the table @path. Returns -WV_E_FORMAT if the file is damaged, is no table, or is of another
 * version of weft. Ignores a last line that does not end in a newline, because it may be
 * incomplete. The file is not trusted.
 */
int wv_trace_table_read(const char *path, struct wv_trace_table *ret, struct wv_error *error);
void wv_trace_table_deinit(struct wv_trace_table *table);

/* Returns the statement whose .index is @index; NULL: there is none. */
const struct wv_trace_statement *wv_trace_statement_find(const struct wv_trace_table *table,
							 uint32_t index);
/* Implements struct wv_symbol_finder; @table is a struct wv_trace_table. */
const struct wv_trace_symbol *wv_trace_symbol_find(const void *table, uint64_t address);

#endif /* WV_TRACE_TABLE_H */
