/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file that grows by whole pieces: after a failed write it is as it was before. Only a process
 * that is killed in the middle of a write leaves the beginning of a piece.
 */
#ifndef WV_GROWING_FILE_H
#define WV_GROWING_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

struct wv_growing {
	int fd; /* -1: not open */
	uint64_t size;
};

/*
 * These return 0 or an errno. Only its owner may read the new file: recordings have the kernel's
 * pointers.
 */
int wv_growing_create(struct wv_growing *file, const char *path);

/* Adds two pieces as one. */
int wv_growing_add(struct wv_growing *file, const void *first, size_t first_size,
		   const void *second, size_t second_size);
int wv_growing_add_text(struct wv_growing *file, const struct wv_str *text);

/* Takes back what was added since it had @size bytes. */
int wv_growing_cut(struct wv_growing *file, uint64_t size);

void wv_growing_close(struct wv_growing *file);

#endif /* WV_GROWING_FILE_H */
