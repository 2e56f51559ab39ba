/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The images that a preparation is for: the vmlinux, the modules that the database has already, and
 * the modules that this run was asked to add.
 */
#ifndef WV_PREPARED_IMAGES_H
#define WV_PREPARED_IMAGES_H

#include "image/image.h"
#include "prepare/prepare.h"

/* Adds the vmlinux @image, which is open, with its units. Call it before other images are added. */
int wv_prepared_vmlinux(struct wv_prepare *prepare, struct wv_image *image, struct wv_error *error);

/*
 * Adds the modules in the database of an earlier run. -WV_E_FAILURE: the file of one of them is not
 * here; without it the new database would lack the module.
 */
int wv_prepared_keep_modules(struct wv_prepare *prepare, struct wv_error *error);

/*
 * Adds the kernel's modules that @pattern names (database/within.h), unless they were added before.
 * -WV_E_NO_MATCH: there is no such module, and @pattern does not name the vmlinux either.
 */
int wv_prepared_add_modules(struct wv_prepare *prepare, const char *pattern,
			    struct wv_error *error);

/* Removes the modules that were added but have no chosen unit. */
void wv_prepared_drop_modules(struct wv_prepare *prepare);

/* *@ret: are files of the kernel's modules known? */
int wv_prepared_has_modules(struct wv_prepare *prepare, bool *ret, struct wv_error *error);

#endif /* WV_PREPARED_IMAGES_H */
