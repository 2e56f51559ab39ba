/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds rows to a table of the database that is being written. To add a row, add its values in the
 * order of the table's columns, and then call wv_rows_end(). If SQLite has no memory for a value,
 * wv_rows_end() fails. "This image" is the one that the store is writing: vmlinux or a module.
 */
#ifndef WV_ROWS_H
#define WV_ROWS_H

#include "index/store-handle.h"

struct wv_rows {
	struct wv_store *store;
	sqlite3_stmt *statement; /* inserts a row; owned */
	int column; /* number of values of the present row that were added */
};

/* Begins to fill @table. On failure, the error is in store->error, and its code is returned. */
int wv_rows_start(struct wv_store *store, const char *table, int nr_columns, struct wv_rows *ret);
void wv_rows_cleanup(const struct wv_rows *rows);
#define _cleanup_rows_ __attribute__((cleanup(wv_rows_cleanup)))

/* Inserts the row. Fails as wv_rows_start() does. */
int wv_rows_end(struct wv_rows *rows);

/*
 * Each of these functions adds one value. Text and bytes stay the caller's, and have to live until
 * the row is ended.
 */
void wv_rows_null(struct wv_rows *rows);
void wv_rows_number(struct wv_rows *rows, uint64_t number);
void wv_rows_text(struct wv_rows *rows, const char *text);
void wv_rows_text_n(struct wv_rows *rows, const char *text, int n);
void wv_rows_bytes(struct wv_rows *rows, const uint8_t *bytes, size_t n);
/* Adds the id that stands for position @position in a list of this image. */
void wv_rows_id(struct wv_rows *rows, uint32_t position);
/* Adds the id of the symbol at @position, or NULL for WV_NO_SYMBOL. */
void wv_rows_symbol(struct wv_rows *rows, uint32_t position);
/*
 * Adds the database's offset for @address in this image: its distance from the image's text, with
 * the image's number in the upper bits.
 */
void wv_rows_offset(struct wv_rows *rows, uint64_t address);

/* Adds three values: file, line and column. All are NULL if the location is unknown. */
void wv_rows_location(struct wv_rows *rows, const struct wv_source_location *location);

#endif /* WV_ROWS_H */
