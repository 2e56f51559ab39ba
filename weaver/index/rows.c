// SPDX-License-Identifier: GPL-2.0-or-later
/* Adds rows to a table of the database; see rows.h. */
#include <stdio.h>

#include "index/rows.h"

void wv_rows_cleanup(const struct wv_rows *rows)
{
	sqlite3_finalize(rows->statement);
}

int wv_rows_start(struct wv_store *store, const char *table, int nr_columns, struct wv_rows *ret)
{
	char sql[128];
	size_t n;

	*ret = (struct wv_rows){ .store = store };
	n = snprintf(sql, sizeof(sql), "INSERT INTO %s VALUES(?", table);
	for (int i = 1; i < nr_columns; i++)
		n += snprintf(sql + n, sizeof(sql) - n, ", ?");
	snprintf(sql + n, sizeof(sql) - n, ")");
	if (sqlite3_prepare_v2(store->db, sql, -1, &ret->statement, NULL) != SQLITE_OK)
		return wv_store_fail(store);
	return 0;
}

int wv_rows_end(struct wv_rows *rows)
{
	if (sqlite3_step(rows->statement) != SQLITE_DONE)
		return wv_store_fail(rows->store);
	sqlite3_reset(rows->statement);
	rows->column = 0;
	return 0;
}

void wv_rows_null(struct wv_rows *rows)
{
	sqlite3_bind_null(rows->statement, ++rows->column);
}

void wv_rows_number(struct wv_rows *rows, uint64_t number)
{
	sqlite3_bind_int64(rows->statement, ++rows->column, (sqlite3_int64)number);
}

void wv_rows_text_n(struct wv_rows *rows, const char *text, int n)
{
	sqlite3_bind_text(rows->statement, ++rows->column, text, n, SQLITE_STATIC);
}

void wv_rows_text(struct wv_rows *rows, const char *text)
{
	wv_rows_text_n(rows, text, -1);
}

void wv_rows_bytes(struct wv_rows *rows, const uint8_t *bytes, size_t n)
{
	sqlite3_bind_blob(rows->statement, ++rows->column, n ? (const void *)bytes : "", n,
			  SQLITE_STATIC);
}

void wv_rows_id(struct wv_rows *rows, uint32_t position)
{
	wv_rows_number(rows, (rows->store->number << WV_IMAGE_ID_BITS) + position + 1);
}

void wv_rows_symbol(struct wv_rows *rows, uint32_t position)
{
	if (position == WV_NO_SYMBOL)
		wv_rows_null(rows);
	else
		wv_rows_id(rows, position);
}

void wv_rows_location(struct wv_rows *rows, const struct wv_source_location *location)
{
	if (!location->line) {
		wv_rows_null(rows);
		wv_rows_null(rows);
		wv_rows_null(rows);
		return;
	}
	wv_rows_id(rows, location->file);
	wv_rows_number(rows, location->line);
	wv_rows_number(rows, location->column);
}

void wv_rows_offset(struct wv_rows *rows, uint64_t address)
{
	const struct wv_store *store = rows->store;

	wv_rows_number(rows, (store->number << WV_IMAGE_OFFSET_BITS) + address -
				 store->contents->symbols->text);
}
