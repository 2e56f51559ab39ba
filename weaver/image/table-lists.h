/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lists of a unit of the plugin's joinpoint table: accesses, labels, fates, strings, ... */
#ifndef WV_TABLE_LISTS_H
#define WV_TABLE_LISTS_H

#include "image/cursor.h"
#include "image/table-unit.h"

/*
 * The state while a unit's lists are read. .strings, .functions and .fields are the numbers of
 * elements of each list that were referred to so far.
 */
struct wv_table_lists {
	struct wv_cursor cursor;
	size_t strings, functions, fields;
	WV_VEC(uint32_t) ranges; /* number of ranges of each section */
	/*
	 * the index that each label has in the unit, by the label's number in the table;
	 * WV_NO_SERVANT: the label was dropped
	 */
	WV_VEC(uint32_t) kept;
};

/*
 * Reads the lists at @lists->cursor into @unit. The labels get no addresses yet, because the table
 * has the addresses after the lists. An error is left in the cursor.
 */
void wv_table_lists_read(struct wv_table_lists *lists, struct wv_unit *unit);

#endif /* WV_TABLE_LISTS_H */
