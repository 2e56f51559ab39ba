/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the plugin's joinpoint table, one unit after another. runtime/joinpoint-table.h defines the
 * format. The table is not trusted: it may have any contents.
 */
#ifndef WV_TABLE_READER_H
#define WV_TABLE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "image/table-unit.h"

void wv_unit_deinit(struct wv_unit *unit);

/* A table that is read unit by unit: its bytes, and the offset of the next unit. */
struct wv_table {
	const char *path; /* for messages */
	const uint8_t *data;
	size_t size, offset;
};

void wv_table_init(struct wv_table *table, const char *path, const uint8_t *data, size_t size);

/*
 * Reads the next unit into @unit, which must be all zero the first time. After the last unit, sets
 * *@more_ret to false and leaves @unit unchanged. Returns -WV_E_FORMAT if the table is damaged;
 * @error says what is wrong, and at which offset in the section.
 */
int wv_table_next(struct wv_table *table, struct wv_unit *unit, bool *more_ret,
		  struct wv_error *error);

#endif /* WV_TABLE_READER_H */
