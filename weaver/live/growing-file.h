/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file that grows by whole pieces. After a failed write it is as it was before the write. Only if
 * the process is killed in the middle of a write, a part of a piece remains in the file.
 */
#ifndef WV_GROWING_FILE_H
#define WV_GROWING_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

struct wv_growing {
	int fd; /* file descriptor; -1: not open */
	uint64_t size;
};

/*
 * Creates the file @path. Only its owner may read it, because recordings have pointers of the
 * kernel. This function and those below return 0 or an errno value.
 */
int wv_growing_create(struct wv_growing *file, const char *path);

/* Adds @first and @second as one piece. */
int wv_growing_add(struct wv_growing *file, const void *first, size_t first_size,
		   const void *second, size_t second_size);
int wv_growing_add_text(struct wv_growing *file, const struct wv_str *text);

/* Shortens the file to @size bytes. */
int wv_growing_cut(struct wv_growing *file, uint64_t size);

void wv_growing_close(struct wv_growing *file);

#endif /* WV_GROWING_FILE_H */
