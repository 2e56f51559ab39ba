/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds the joinpoint database: reads images, writes the database file. */
#ifndef WV_BUILD_H
#define WV_BUILD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "runtime/abi.h"

/* Statistics of one indexing run. */
struct wv_index_totals {
	size_t units, accesses, joinpoints, functions, inlined, lines;
	size_t by_precision[WEFT_PRECISION_OPTIMIZED_OUT + 1]; /* number of joinpoints */
	/* of the optimized out joinpoints: static initialisers */
	size_t data;
	/* of the optimized out joinpoints: those with another instruction for the same member */
	size_t coalesced;
	size_t shadows;					/* shadows chosen; see enum wv_chosen */
	size_t dropped; /* functions that the linker dropped together with their labels */
};

/* One image to index. The caller fills .path and .records; the rest is the result. */
struct wv_index_image {
	const char *path;
	/* folder of the image's records (parsed.h); NULL: the image has its own joinpoint table */
	const char *records;
	bool taken;    /* unchanged: its rows were copied from the existing database */
	bool no_table; /* a module that was built without the plugin */
	size_t newer;  /* number of source files modified after the image was built */
	char newer_name[256];
};

/*
 * Indexes the linked image @images[0] and the modules that follow it into a new database at
 * @database_path. An existing file is replaced only if everything succeeds. An image is not read
 * again if the existing database has it at the same position with the same build-id, unless @fresh
 * is set; @ret does not count such images. -WV_E_FORMAT: an image is damaged or of another kind, or
 * the first one was built without the plugin. -WV_E_MISMATCH: the records belong to another image.
 * -WV_E_USAGE: two modules have one name, or the database would replace an image.
 */
int wv_index_images(struct wv_index_image *images, size_t n, const char *database_path, bool fresh,
		    struct wv_index_totals *ret, struct wv_error *error);

/* Indexes a single image; never copies rows from an existing database. */
int wv_index_build(const char *image_path, const char *database_path,
		   struct wv_index_totals *ret, struct wv_error *error);

#endif /* WV_BUILD_H */
