/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records without code: the tables of units that were parsed only (scripts/records.sh), for an
 * image that was built elsewhere, from the same source and configuration, without the plugin. They
 * have no labels, so all shadows come from DWARF.
 *
 * What the records are of is checked twice, because no build-id ties a source tree to an image: by
 * the kernel's version, and by the functions' lines.
 */
#ifndef WV_PARSED_H
#define WV_PARSED_H

#include "image/dwarf/debug.h"
#include "image/image.h"
#include "image/dwarf/lines.h"
#include "image/symbols.h"
#include "index/merge.h"

/*
 * In the folder: what the records are of, one "key value" a line. Written when everything else is
 * there.
 */
#define WV_PARSED_STAMP "weft-records"

/*
 * Adds the records below @folder whose unit is one of @image's. -WV_E_FORMAT: the folder is none or
 * is not complete, or none of its units is in the image; -WV_E_MISMATCH: the source is another
 * version of the kernel.
 */
int wv_parsed_read(struct wv_merge *merge, struct wv_image *image, const char *folder,
		    struct wv_error *error);

/*
 * Whether the accesses stand inside their functions as DWARF places them; @rows' files are
 * positions in merge->files. -WV_E_MISMATCH names the first that does not: that file is not what
 * the image was built from.
 */
int wv_parsed_check(const struct wv_merge *merge, const struct wv_symbols *symbols,
		     const struct wv_debug *debug, const wv_rows *rows, const char *folder,
		     struct wv_error *error);

#endif /* WV_PARSED_H */
