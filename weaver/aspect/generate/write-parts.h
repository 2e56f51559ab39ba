/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Generates the aspect module's table of parts: the kernel itself, and each module's section in
 * which the aspect has joinpoints.
 */
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
 * Writes the table (of struct weft_text_part) with one entry for each of @parts, the first of which
 * is the kernel itself. @rows: the strings of the parts, in the same order, and also one for the
 * kernel, which is not used.
 */
void wv_parts_write(const wv_parts *parts, const struct wv_part_row *rows, struct wv_str *out);

#endif /* WV_WRITE_PARTS_H */
