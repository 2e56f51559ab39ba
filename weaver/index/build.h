/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The build side of the joinpoint database: from an image to a file. */
#ifndef WV_BUILD_H
#define WV_BUILD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "runtime/abi.h"

/* What was found. */
struct wv_index_totals {
	size_t units, records, joinpoints, functions, inlined, lines;
	size_t by_precision[WEFT_PRECISION_OPTIMIZED_OUT + 1]; /* joinpoints */
	/* optimized out ones that are static initialisers */
	size_t data;
	/* optimized out ones whose member has another instruction */
	size_t coalesced;
	size_t shadows;					/* that were chosen */
	size_t dropped; /* functions that the linker dropped together with their labels */
};

/* One image as it is asked for, and what became of it. */
struct wv_index_image {
	const char *path;
	/* NULL: the image has a table; else the folder of its records (parsed.h) */
	const char *records;
	bool taken;    /* unchanged: its rows were taken over from the database that was there */
	bool no_table; /* a module that was built without the plugin */
	size_t newer;  /* source files that were changed after it was built; one's name */
	char newer_name[256];
};

/*
 * Indexes the linked image @images[0], and the modules that follow it, into a new database at
 * @database_path, which is replaced only when everything went well. An image that the database had
 * at the same place with the same build-id is not read again, unless @fresh; @ret counts the
 * others. -WV_E_FORMAT: an image is damaged or of another kind, or the first was built without the
 * plugin. -WV_E_MISMATCH: the records are not of that image. -WV_E_USAGE: two modules have one
 * name, or the database would replace an image.
 */
int wv_index_images(struct wv_index_image *images, size_t n, const char *database_path, bool fresh,
		    struct wv_index_totals *ret, struct wv_error *error);

/* One image, and all of it. */
int wv_index_build(const char *image_path, const char *database_path,
		   struct wv_index_totals *ret, struct wv_error *error);

#endif /* WV_BUILD_H */
