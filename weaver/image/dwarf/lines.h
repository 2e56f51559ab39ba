/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the line tables of an image: each row maps (file, line, column) to an address. */
#ifndef WV_LINES_H
#define WV_LINES_H

#include "base/vec.h"
#include "image/image.h"
#include "image/paths.h"

struct wv_row {
	uint64_t address;
	/* bytes up to the next row of the table; 0 if the next row has the same address */
	uint32_t size;
	uint32_t file; /* number in struct wv_paths */
	uint32_t line, column;
	bool statement; /* DWARF's is_stmt: recommended location for a breakpoint */
};

typedef WV_VEC(struct wv_row) wv_rows;

/*
 * Appends the rows in executable sections to @ret, unsorted. Leaves out rows with line 0, which
 * means "no line". It is no error if the image has no line tables; then it has no rows.
 */
int wv_lines_read(struct wv_image *image, struct wv_paths *paths, wv_rows *ret,
		  struct wv_error *error);

#endif /* WV_LINES_H */
