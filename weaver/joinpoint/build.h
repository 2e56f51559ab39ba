/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The build side of the joinpoint database: from an image to a file. */
#ifndef WEFT_JOINPOINT_BUILD_H
#define WEFT_JOINPOINT_BUILD_H

#include <stddef.h>

#include "base/error.h"
#include "runtime/abi.h"

/* What was found. */
struct wv_index_totals {
	size_t units, records, joinpoints, functions, copies, lines;
	size_t by_precision[WEFT_PRECISION_ELIDED + 1]; /* joinpoints */
	size_t data;					/* elided ones that are static initialisers */
	size_t served;					/* elided ones whose member has another instruction */
	size_t shadows;					/* that were chosen */
	size_t dropped; /* functions that the linker dropped together with their labels */
};

/*
 * Indexes the linked image at @image_path into a new database at @database_path, which is replaced only when
 * everything went well. -WV_E_FORMAT: @image_path is no such image, or was built without the plugin.
 */
int wv_index_build(const char *image_path, const char *database_path,
		   struct wv_index_totals *ret, struct wv_error *error);

#endif /* WEFT_JOINPOINT_BUILD_H */
