/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The images that a preparation is for: the vmlinux, the modules that the database has already, and
 * those that this run is asked for.
 */
#ifndef WV_PREPARED_IMAGES_H
#define WV_PREPARED_IMAGES_H

#include "image/image.h"
#include "prepare/prepare.h"

/* Adds the vmlinux, which is open, with its units. The first image. */
int wv_prepared_vmlinux(struct wv_prepare *prepare, struct wv_image *image, struct wv_error *error);

/*
 * Adds the modules that the database of an earlier run has. -WV_E_FAILURE: the file of one of them
 * is not here: without it the new database would lack the module.
 */
int wv_prepared_keep_modules(struct wv_prepare *prepare, struct wv_error *error);

/*
 * Adds the kernel's modules that @pattern names (database/within.h), unless they are there.
 * -WV_E_NO_MATCH: there is none, and @pattern does not name the vmlinux either.
 */
int wv_prepared_add_modules(struct wv_prepare *prepare, const char *pattern,
			    struct wv_error *error);

/* Takes away the modules that were added, where nothing of them was chosen. */
void wv_prepared_drop_modules(struct wv_prepare *prepare);

/* Whether files of the kernel's modules are known. */
int wv_prepared_has_modules(struct wv_prepare *prepare, bool *ret, struct wv_error *error);

#endif /* WV_PREPARED_IMAGES_H */
