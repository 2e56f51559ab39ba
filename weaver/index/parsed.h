/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads joinpoint tables for an image that was built elsewhere, without the plugin. The tables are
 * in objects that were compiled with the plugin, from the same source and the same configuration.
 * If a function of an object is proven to be in the image as it is (proven-labels.h), the object's
 * labels in this function are used. In all other text, shadows are found by DWARF. An object
 * without code provides accesses only, no labels.
 *
 * No build-id shows that a source tree belongs to an image. Instead, weft compares the line numbers
 * of functions in the objects with those in the image.
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
 * Adds the joinpoint tables of those objects below @folder whose unit is also a unit of @image.
 * Clears *@result, and stores there what was proven. @plugged says that every object below @folder
 * was compiled with the plugin for this kernel. It has two consequences:
 * - If an object has no table, its unit has no accesses, and counts as known.
 * - @folder may have no object of @image at all. (For a module it may in either case.)
 * Returns -WV_E_FORMAT if @folder has no objects with tables, and -WV_E_MISMATCH if it has some,
 * but none of them is of @image.
 */
int wv_parsed_read(struct wv_merge *merge, struct wv_image *image, const char *folder,
		   bool plugged, struct wv_proof_result *result, struct wv_error *error);

/*
 * Checks that every access lies in its function, by the lines where DWARF says that functions
 * begin. File numbers of @rows must be positions in merge->files. Returns -WV_E_MISMATCH if an
 * access lies outside of its function: then the image was not built from this source file. The
 * message names the first such access.
 */
int wv_parsed_check(const struct wv_merge *merge, const struct wv_symbols *symbols,
		     const struct wv_debug *debug, const wv_rows *rows, const char *folder,
		     struct wv_error *error);

#endif /* WV_PARSED_H */
