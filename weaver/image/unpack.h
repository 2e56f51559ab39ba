/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decompresses files that are compressed as a whole: .ko.gz, .ko.xz and .ko.zst, as distributions
 * ship modules. Recognises the format by the file's first bytes, not by its name.
 */
#ifndef WV_UNPACK_H
#define WV_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { WV_PACKED_MAGIC = 6 }; /* number of first bytes that wv_is_packed() needs */

/* Returns whether these first bytes begin a compressed file. */
bool wv_is_packed(const uint8_t *bytes, size_t n);

/*
 * Decompresses the whole file @fd into *@ret, which the caller frees. @path is for messages.
 * Returns -WV_E_FORMAT if the file is truncated or damaged, or if its content is too large;
 * -WV_E_FAILURE if libzstd is needed and cannot be loaded.
 */
int wv_unpack(int fd, const char *path, uint8_t **ret, size_t *n_ret, struct wv_error *error);

#endif /* WV_UNPACK_H */
