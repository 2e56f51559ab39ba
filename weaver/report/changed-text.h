/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports which ranges of the kernel's text a woven aspect has changed, as text for a terminal and
 * as JSON. The ranges are splices, slots of springboards, and donors. A user who compares the text
 * with the kernel's image can find out with the report which changes weft has made.
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
 * Adds a row for each range that the aspect @name has changed, in ascending order. If @name is "",
 * adds the ranges that weft.ko has changed for its own use, with the name "weft.ko".
 */
int wv_changed_rows(const struct wv_device *device, const char *name, struct wv_text_table *table,
		    struct wv_error *error);

/*
 * Like wv_changed_rows(), but adds a line with a JSON object for each range;
 * docs/aspect-language.md lists the keys of the objects.
 */
int wv_changed_json(const struct wv_device *device, const char *name, struct wv_json *json,
		    struct wv_error *error);

#endif /* WV_CHANGED_TEXT_H */
