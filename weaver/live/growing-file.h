/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file to which whole pieces are added. If a write fails, the file is cut to what it had before.
 * So the file ends with a part of a piece only if the process is killed in the middle of a write.
 */
#ifndef WV_GROWING_FILE_H
#define WV_GROWING_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

struct wv_growing {
	int fd; /* file descriptor; -1: not open */
	uint64_t size; /* size in bytes of the whole pieces: the next one is written there */
};

/*
 * Creates the file @path. Only the file's owner may read it, because recordings have addresses of
 * the kernel. This function and those below return 0 or an errno value.
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
