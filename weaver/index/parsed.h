/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads joinpoint tables that belong to an image which was built elsewhere without the plugin. The
 * tables are in objects that were compiled with the plugin from the same source and configuration.
 * If a function is proven to be in the image as it is (proven-labels.h), the labels in it count; in
 * all other text shadows are found by DWARF. An object without code has accesses, and no labels.
 *
 * No build-id ties a source tree to an image. So weft checks by the line numbers of functions that
 * the objects belong to the image.
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
 * Adds the joinpoint tables below @folder whose unit is also a unit of @image. @plugged: every
 * object below @folder was compiled with the plugin for this kernel. Then an object without a table
 * belongs to a unit without accesses, and @folder need not have an object of @image. For a module
 * it need not have one in either case. *@result is cleared, and gets what was proven. Returns
 * -WV_E_FORMAT if @folder has no objects with tables, -WV_E_MISMATCH if none of its objects is of
 * the image.
 */
int wv_parsed_read(struct wv_merge *merge, struct wv_image *image, const char *folder,
		   bool plugged, struct wv_proof_result *result, struct wv_error *error);

/*
 * Checks that every access lies inside its function as DWARF places it. File numbers of @rows must
 * be positions in merge->files. -WV_E_MISMATCH: an access lies outside, so the image was not built
 * from this source file; the message names the first such access.
 */
int wv_parsed_check(const struct wv_merge *merge, const struct wv_symbols *symbols,
		     const struct wv_debug *debug, const wv_rows *rows, const char *folder,
		     struct wv_error *error);

#endif /* WV_PARSED_H */
