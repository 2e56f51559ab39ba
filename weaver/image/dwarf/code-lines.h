/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the line of one source file to which the code at each address of an image belongs. */
#ifndef WV_CODE_LINES_H
#define WV_CODE_LINES_H

#include "base/vec.h"
#include "image/image.h"

/*
 * The code from .address on, up to the next element's, belongs to line .line; 0: to another file.
 */
struct wv_code_line {
	uint64_t address;
	uint32_t line;
};

typedef WV_VEC(struct wv_code_line) wv_code_lines;

/*
 * Reads the lines of @file, a name without a folder. Code that was inlined from another file
 * belongs to the line of @file that calls it. @ret is in ascending order, and two neighbouring
 * elements never have the same line. @ret is empty if the image has no DWARF.
 */
int wv_code_lines_read(struct wv_image *image, const char *file, wv_code_lines *ret,
		       struct wv_error *error);

#endif /* WV_CODE_LINES_H */
