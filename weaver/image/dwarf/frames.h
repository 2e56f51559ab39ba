/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a function's frame lies at one of its instructions: the canonical frame address (CFA) of
 * .debug_frame, which locations of variables on the stack count from.
 */
#ifndef WV_FRAMES_H
#define WV_FRAMES_H

#include "image/image.h"

struct wv_cfa {
	bool known;
	unsigned int reg; /* DWARF's number */
	int64_t offset;
};

/* Fills @ret for @address; .known is false where nothing says, or says it in a way that is no register plus offset. */
int wv_frames_find(struct wv_image *image, uint64_t address, struct wv_cfa *ret,
		   struct wv_error *error);

#endif /* WV_FRAMES_H */
