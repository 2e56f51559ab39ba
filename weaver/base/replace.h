/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a file that nobody can see half-written, and of which nothing is left when its writer is
 * killed (where the file system has files without a name; elsewhere a temporary one may be left).
 */
#ifndef WV_REPLACE_H
#define WV_REPLACE_H

#include <stddef.h>

#include "base/error.h"

/*
 * Makes @bytes the contents of the file at @path, which may exist; it is unchanged when this fails.
 * To what is no file, such as /dev/stdout, they are written.
 */
int wv_replace_file(const char *path, const unsigned char *bytes, size_t n, struct wv_error *error);

#endif /* WV_REPLACE_H */
