/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports which bytes of the kernel's text a woven aspect has changed, as text for a terminal and
 * as JSON: splices, springboards' slots, and donors. So people who compare the text with the
 * kernel's image can find out which changes are weft's.
 */
#ifndef WV_CHANGED_TEXT_H
#define WV_CHANGED_TEXT_H

#include "base/error.h"
#include "base/json-writer.h"
#include "base/text-table.h"
#include "live/requests.h"

/* Number of columns of the table. wv_changed_header() adds the row with their names. */
enum { WV_CHANGED_COLUMNS = 5 };
void wv_changed_header(struct wv_text_table *table);

/*
 * Adds a row for each range that @name has changed, in ascending order. @name "": weft.ko itself,
 * whose rows have the name "weft.ko".
 */
int wv_changed_rows(const struct wv_device *device, const char *name, struct wv_text_table *table,
		    struct wv_error *error);

/* Adds one JSON object per range, one on each line; docs/aspect-language.md lists their keys. */
int wv_changed_json(const struct wv_device *device, const char *name, struct wv_json *json,
		    struct wv_error *error);

#endif /* WV_CHANGED_TEXT_H */
