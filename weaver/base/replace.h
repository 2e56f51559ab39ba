/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a file atomically: it is never visible half-written. If the writer is killed, nothing is
 * left behind, except a temporary file on file systems without support for unnamed files.
 */
#ifndef WV_REPLACE_H
#define WV_REPLACE_H

#include <stddef.h>

#include "base/error.h"

/*
 * Makes @bytes the contents of the file at @path, which may exist. On failure the old file is
 * unchanged. If @path is not a regular file, such as /dev/stdout, the bytes are written to it.
 */
int wv_replace_file(const char *path, const unsigned char *bytes, size_t n, struct wv_error *error);

#endif /* WV_REPLACE_H */
