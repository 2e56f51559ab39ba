/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What `weft read` needs of a recording beside its streams: whose it is, the joinpoints, the
 * weft_log() statements, the symbols that its records name. A text file: a line is a word and its
 * values, separated by tabs, with \\, \t and \n for what would be mistaken. Lines may be added at
 * its end while it is recorded.
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

/* What a recording is of. Strings belong to the caller, or to the table's text. */
struct wv_trace_about {
	const char *aspect, *host, *release, *build_id; /* build_id: in hexadecimal */
	uint8_t uuid[WV_UUID_SIZE];
	uint64_t offset; /* CLOCK_REALTIME - CLOCK_MONOTONIC when it began, nanoseconds */
	uint32_t packed; /* WEFT_PACKED_* of the kernel */
};

struct wv_trace_joinpoint {
	const char *what, *symbol, *function, *file, *module;
	uint32_t symbol_offset, line, column;
};

struct wv_trace_statement {
	uint32_t id;
	enum weft_content content;
	const char *format, *names; /* names: the arguments as the author wrote them */
	struct wv_argument_fields fields;
};

struct wv_trace_table {
	char *text; /* of the file; the strings point into it */
	struct wv_trace_about about;
	WV_VEC(struct wv_trace_joinpoint) joinpoints; /* by their indices */
	WV_VEC(struct wv_trace_statement) statements;
	WV_VEC(struct wv_trace_symbol) symbols; /* ascending; they do not overlap */
};

/* Each of these functions adds lines of the table to @out. */
void wv_trace_write_about(const struct wv_trace_about *about, struct wv_str *out);
void wv_trace_write_joinpoints(const struct wv_aspect_module *module, struct wv_str *out);
void wv_trace_write_statement(const struct wv_trace_statement *statement, struct wv_str *out);
void wv_trace_write_symbol(const struct wv_trace_symbol *symbol, struct wv_str *out);

/*
 * Reads a table. -WV_E_FORMAT: the file is not a table, or is damaged. A last line without its end
 * is left out.
 * @path: for messages. The file is not trusted.
 */
int wv_trace_table_read(const char *path, struct wv_trace_table *ret, struct wv_error *error);
void wv_trace_table_deinit(struct wv_trace_table *table);

/* Returns the statement of that number; NULL: there is none. */
const struct wv_trace_statement *wv_trace_statement_find(const struct wv_trace_table *table,
							 uint32_t id);
/* Implements struct wv_symbol_finder; @table is a struct wv_trace_table. */
const struct wv_trace_symbol *wv_trace_symbol_find(const void *table, uint64_t address);

#endif /* WV_TRACE_TABLE_H */
