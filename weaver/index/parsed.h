/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads joinpoint tables that belong to an image which was built elsewhere without the plugin, from
 * the same source and configuration. There are two kinds, and a folder may have both:
 *
 * - *records*: units were only parsed, not compiled (scripts/records.sh). They have no labels, so
 *   all shadows come from DWARF.
 * - *objects*: units were compiled with the plugin. Their labels count where a function is proven
 *   to be in the image as it is (proven-labels.h); elsewhere shadows come from DWARF.
 *
 * No build-id ties a source tree to an image. So weft checks in two ways that the records belong to
 * the image: by the kernel's version, and by the line numbers of functions.
 */
#ifndef WV_PARSED_H
#define WV_PARSED_H

#include "image/dwarf/debug.h"
#include "image/image.h"
#include "image/dwarf/lines.h"
#include "image/symbols.h"
#include "index/merge.h"
#include "index/proven-labels.h"

/*
 * File in the folder that says what the records belong to, one "key value" on each line. It is
 * written last, so a folder without it is incomplete.
 */
#define WV_PARSED_STAMP "weft-records"

/*
 * Adds the tables below @folder whose unit is also a unit of @image. @stamped: the folder must have
 * a stamp. @plugged: each object below it was compiled with the plugin, so that one without a table
 * is of a unit without accesses. Of a module there may be none. *@result, which is zeroed before, says what was proven.
 * -WV_E_FORMAT: @folder is not a folder of records, is incomplete, or has no unit of the image.
 * -WV_E_MISMATCH: the source is of another kernel version.
 */
int wv_parsed_read(struct wv_merge *merge, struct wv_image *image, const char *folder,
		   bool stamped, bool plugged, struct wv_proof_result *result,
		   struct wv_error *error);

/*
 * Checks that every access lies inside its function as DWARF places it. File numbers of @rows must
 * be positions in merge->files. -WV_E_MISMATCH: an access lies outside, so the image was not built
 * from this source file; the message names the first such access.
 */
int wv_parsed_check(const struct wv_merge *merge, const struct wv_symbols *symbols,
		     const struct wv_debug *debug, const wv_rows *rows, const char *folder,
		     struct wv_error *error);

#endif /* WV_PARSED_H */
