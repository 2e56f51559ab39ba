/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table for people: cells are added row by row and come out aligned, two spaces apart. All zero
 * is an empty one.
 */
#ifndef WV_TEXT_TABLE_H
#define WV_TEXT_TABLE_H

#include "base/str.h"
#include "base/vec.h"

struct wv_text_table {
	size_t n;	     /* columns; set by the user */
	struct wv_str text;  /* the cells, each with its NUL */
	WV_VEC(size_t) cells; /* where each begins */
};

void wv_text_table_deinit(struct wv_text_table *columns);

/* Adds the next cell; after the n-th one a new row begins. */
void wv_text_table_add(struct wv_text_table *columns, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The same of a text as it is. */
void wv_text_table_text(struct wv_text_table *columns, const char *text);

/* The same of what is added to the string between the two. */
struct wv_str *wv_text_table_begin(struct wv_text_table *columns);
void wv_text_table_end(struct wv_text_table *columns);

/*
 * Adds all whole rows to @out, without spaces at the ends of lines. @out fails where @columns has.
 */
void wv_text_table_print(const struct wv_text_table *columns, struct wv_str *out);

#define _cleanup_text_table_ __attribute__((cleanup(wv_text_table_deinit)))

#endif /* WV_TEXT_TABLE_H */
