/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a joinpoint database: all of it in one go; the file gets its name when it is whole.
 * The same contents give the same bytes.
 */
#ifndef WV_STORE_H
#define WV_STORE_H

#include "image/branch-targets.h"
#include "image/dwarf/debug.h"
#include "image/image.h"
#include "image/patch-sites.h"
#include "image/symbols.h"
#include "index/inlined.h"
#include "index/merge.h"
#include "index/shadows.h"

/* All of one image. Sorted; everything that refers to a file uses positions in merge->files. */
struct wv_contents {
	const char *name; /* "vmlinux", or a module's */
	struct wv_image *image;
	const struct wv_symbols *symbols;
	const struct wv_merge *merge;
	const struct wv_shadows *shadows;
	const struct wv_operands *operands;
	const struct wv_inlined_list *inlined;
	const struct wv_debug *debug;
	const struct wv_owners *owners;
	const struct wv_branch_targets *branch_targets;
};

struct wv_store;

/* @keep: images may be taken from the database that is at @path now. */
int wv_store_create(const char *path, bool keep, struct wv_store **ret, struct wv_error *error);
void wv_store_destroy(struct wv_store *store);

/* Adds the next image; the vmlinux is the first. */
int wv_store_add(struct wv_store *store, const struct wv_contents *contents,
		 struct wv_error *error);

/*
 * Adds the next image from the database that is to be replaced, if that has it at this place. *@taken_ret is false when it has
 * not: then it is to be read. What comes out is the same. After a failure the store is of no use; one without @keep may be.
 */
int wv_store_take(struct wv_store *store, const char *name, const uint8_t *build_id, size_t size,
		  bool *taken_ret, struct wv_error *error);

/* Writes the file. */
int wv_store_finish(struct wv_store *store, struct wv_error *error);

#endif /* WV_STORE_H */
