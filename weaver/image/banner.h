/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The line by which a kernel names its version, compiler and build: linux_banner. */
#ifndef WV_BANNER_H
#define WV_BANNER_H

#include <stdbool.h>
#include <stddef.h>

#include "image/image.h"

enum { WV_BANNER_MAX = 512 };

/*
 * Reads the version banner of a vmlinux, without its newline: "Linux version 6.1.0-56-cloud-amd64
 * (...) (gcc-12 ...) #1 SMP PREEMPT_DYNAMIC Debian 6.1.192-2 (2026-11-05)". Sets @banner to "" if
 * the image has none.
 */
int wv_image_banner(struct wv_image *image, char banner[WV_BANNER_MAX], struct wv_error *error);

/* Returns whether the banner has @version as a whole word: "6.1.19" is not in "6.1.192". */
bool wv_banner_has(const char *banner, const char *version);

#endif /* WV_BANNER_H */
