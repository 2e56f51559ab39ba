/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The line tables of an image: every row, as (file, line, column) -> addresses.
 */
#ifndef WV_LINES_H
#define WV_LINES_H

#include "base/vec.h"
#include "image/image.h"
#include "image/paths.h"

struct wv_row {
	uint64_t address;
	/* bytes up to the next row of the table; 0 where several rows share a place */
	uint32_t size;
	uint32_t file; /* of wv_paths */
	uint32_t line, column;
	bool statement; /* is_stmt: a place to stop at */
};

typedef WV_VEC(struct wv_row) wv_rows;

/*
 * Appends the rows in executable sections to @ret, unsorted; line 0 ("no line") is left out. An
 * image without line tables gives none and is no error.
 */
int wv_lines_read(struct wv_image *image, struct wv_paths *paths, wv_rows *ret,
		  struct wv_error *error);

#endif /* WV_LINES_H */
