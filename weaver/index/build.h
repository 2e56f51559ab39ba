/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds the joinpoint database: reads images, writes the database file. */
#ifndef WV_BUILD_H
#define WV_BUILD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "index/mention-counts.h"
#include "index/proven-labels.h"
#include "runtime/abi.h"
#include "runtime/joinpoint-table.h"

/* Statistics of one indexing run. */
struct wv_index_totals {
	size_t units, accesses, joinpoints, functions, inlined, lines;
	size_t by_precision[WEFT_PRECISION_OPTIMIZED_OUT + 1]; /* number of joinpoints */
	/* how many of the optimized out joinpoints are static initialisers */
	size_t data;
	/*
	 * The number of joinpoints in code that were optimized out, by enum weft_fate. The last
	 * element counts those whose fate is unknown.
	 */
	size_t by_fate[WEFT_FATE_COUNT + 1];
	size_t shadows; /* shadows, without those that are WV_CHOSEN_NOT */
	size_t dropped; /* functions that the linker dropped together with their labels */
};

/*
 * One image to index. The caller fills the members down to .mentions; the members after that are
 * the result.
 */
struct wv_index_image {
	const char *path;
	/*
	 * folder of objects whose joinpoint tables belong to the image (parsed.h); NULL: the image
	 * has its own table
	 */
	const char *folder;
	/* every object in .folder was compiled with the plugin, also those without a table */
	bool plugged;
	/* the image has no joinpoint table and does not need one, because it has no accesses */
	bool no_accesses;
	/*
	 * counts of the words in the source text of those units of the image that .folder does not
	 * have; NULL: not known
	 */
	const struct wv_mention_counts *mentions;
	/*
	 * the functions of .folder's objects that are proven to be in the image; the caller frees
	 * them by wv_proof_result_deinit()
	 */
	struct wv_proof_result proof;
	bool taken;    /* the image is unchanged: its rows were copied from the existing database */
	bool no_table; /* the image was built without the plugin */
	size_t newer;  /* number of source files modified after the image was built */
	char newer_name[256];
};

/*
 * Indexes the linked image @images[0] and the modules that follow it, and writes a new database to
 * @database_path. An existing file is replaced only if everything succeeds. If the existing
 * database has the same image at the same position (the build-ids are equal), the image's rows are
 * copied and the image is not read. @fresh prevents this. @ret does not count images that were
 * copied. Returns:
 * - -WV_E_FORMAT if an image is damaged or of the wrong kind, or if @images[0] was built without
 *   the plugin and has neither .folder nor .no_accesses;
 * - -WV_E_MISMATCH if the objects belong to another image;
 * - -WV_E_USAGE if two modules have one name, or if the database would replace an image.
 */
int wv_index_images(struct wv_index_image *images, size_t n, const char *database_path, bool fresh,
		    struct wv_index_totals *ret, struct wv_error *error);

/* Indexes a single image; never copies rows from an existing database. */
int wv_index_build(const char *image_path, const char *database_path,
		   struct wv_index_totals *ret, struct wv_error *error);

#endif /* WV_BUILD_H */
