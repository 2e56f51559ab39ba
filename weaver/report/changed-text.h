/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which bytes of the kernel's text a woven aspect has changed, as text for a terminal and as JSON:
 * splices, springboards' slots, and donors. So whoever compares the text with the kernel's image
 * can tell what is weft's.
 */
#ifndef WV_CHANGED_TEXT_H
#define WV_CHANGED_TEXT_H

#include "base/error.h"
#include "base/json-writer.h"
#include "base/text-table.h"
#include "live/requests.h"

/* Columns of the table; adds the row of their names. */
enum { WV_CHANGED_COLUMNS = 5 };
void wv_changed_header(struct wv_text_table *table);

/*
 * Adds a row for each range that @name has changed, in ascending order; "": weft.ko itself, also
 * called that.
 */
int wv_changed_rows(const struct wv_device *device, const char *name, struct wv_text_table *table,
		    struct wv_error *error);

/* Adds one JSON object a line for each; docs/aspect-language.md lists their keys. */
int wv_changed_json(const struct wv_device *device, const char *name, struct wv_json *json,
		    struct wv_error *error);

#endif /* WV_CHANGED_TEXT_H */
