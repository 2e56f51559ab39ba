/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which line of one source file the code at each address of an image is of. */
#ifndef WV_CODE_LINES_H
#define WV_CODE_LINES_H

#include "base/vec.h"
#include "image/image.h"

/* From .address on, up to the next one's, the code is of line .line; 0: not of that file. */
struct wv_code_line {
	uint64_t address;
	uint32_t line;
};

typedef WV_VEC(struct wv_code_line) wv_code_lines;

/*
 * Code that was inlined from other files is of the line that calls it. @file: its name without a
 * folder. @ret is ascending, and no two in a row have the same line. Empty if the image has no
 * DWARF.
 */
int wv_code_lines_read(struct wv_image *image, const char *file, wv_code_lines *ret,
		       struct wv_error *error);

#endif /* WV_CODE_LINES_H */
