/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a whole text file. */
#ifndef WV_WHOLE_FILE_H
#define WV_WHOLE_FILE_H

#include "base/error.h"
#include "base/str.h"

/* Adds the contents of the file @path to @ret. */
int wv_whole_file(const char *path, struct wv_str *ret, struct wv_error *error);

#endif /* WV_WHOLE_FILE_H */
