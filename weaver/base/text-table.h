/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A text table. Cells are added row by row and printed in aligned columns, two spaces apart. A cell
 * is one line (wv_one_line()); what exceeds 511 bytes is cut off. An all-zero struct is an empty
 * table.
 */
#ifndef WV_TEXT_TABLE_H
#define WV_TEXT_TABLE_H

#include "base/str.h"
#include "base/vec.h"

struct wv_text_table {
	size_t n;	     /* number of columns; set by the caller */
	struct wv_str text;  /* the cells, each with its NUL */
	WV_VEC(size_t) cells; /* offset of each cell in .text */
};

void wv_text_table_deinit(struct wv_text_table *table);

/* Adds the next cell. After table->n cells a new row begins. */
void wv_text_table_add(struct wv_text_table *table, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Like wv_text_table_add(), for plain text instead of a format. */
void wv_text_table_text(struct wv_text_table *table, const char *text);

/*
 * Adds the next cell piece by piece: the cell's text is everything that the caller adds to the
 * returned string before wv_text_table_end().
 */
struct wv_str *wv_text_table_begin(struct wv_text_table *table);
void wv_text_table_end(struct wv_text_table *table);

/* Adds all complete rows to @out, without trailing spaces. @out fails if @table has failed. */
void wv_text_table_print(const struct wv_text_table *table, struct wv_str *out);

#define _cleanup_text_table_ __attribute__((cleanup(wv_text_table_deinit)))

#endif /* WV_TEXT_TABLE_H */
