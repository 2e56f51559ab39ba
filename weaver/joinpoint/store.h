/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a joinpoint database: all of it in one go; the file gets its name when it is whole.
 * The same contents give the same bytes.
 */
#ifndef WEFT_JOINPOINT_STORE_H
#define WEFT_JOINPOINT_STORE_H

#include "image/image.h"
#include "image/symbols.h"
#include "joinpoint/copies.h"
#include "joinpoint/merge.h"
#include "joinpoint/shadows.h"

/* All that goes into a database. Sorted; everything that refers to a file uses positions in merge->files. */
struct wv_contents {
	struct wv_image *image;
	const struct wv_symbols *symbols;
	const struct wv_merge *merge;
	const struct wv_shadows *shadows;
	const struct wv_operands *operands;
	const struct wv_copies *copies;
};

int wv_store(const char *path, const struct wv_contents *contents, struct wv_error *error);

#endif /* WEFT_JOINPOINT_STORE_H */
