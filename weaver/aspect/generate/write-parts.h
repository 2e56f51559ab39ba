/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Generates the module's table of the parts of the text that it has joinpoints in. */
#ifndef WV_WRITE_PARTS_H
#define WV_WRITE_PARTS_H

#include "aspect/resolve/text-parts.h"
#include "base/str.h"

/*
 * One part's strings (its module, section and anchor), as offsets into the module's string table.
 */
struct wv_part_row {
	uint32_t module, section, anchor;
};

/*
 * Writes the table of the aspect's parts (struct weft_text_part). Its first entry is the kernel
 * itself. @rows: has one element for each of @parts.
 */
void wv_parts_write(const wv_parts *parts, const struct wv_part_row *rows, struct wv_str *out);

#endif /* WV_WRITE_PARTS_H */
