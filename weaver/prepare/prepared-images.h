/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The images of a preparation: the vmlinux, the modules that the database has already, and the
 * modules that this run was asked to add.
 */
#ifndef WV_PREPARED_IMAGES_H
#define WV_PREPARED_IMAGES_H

#include "image/image.h"
#include "prepare/prepare.h"

/* Adds @image, the opened vmlinux, and its units. The caller adds no other image before. */
int wv_prepared_vmlinux(struct wv_prepare *prepare, struct wv_image *image, struct wv_error *error);

/*
 * Adds the modules that the database of an earlier run has. Returns -WV_E_FAILURE if the file of
 * such a module is missing, because the new database would lack this module.
 */
int wv_prepared_keep_modules(struct wv_prepare *prepare, struct wv_error *error);

/*
 * Adds the kernel's modules whose name @pattern matches (wv_module_is() in database/within.h),
 * unless they were added before. Returns -WV_E_NO_MATCH if @pattern matches no module, nor the
 * vmlinux.
 */
int wv_prepared_add_modules(struct wv_prepare *prepare, const char *pattern,
			    struct wv_error *error);

/* Removes the images of which no unit is chosen, except those with .kept. */
void wv_prepared_drop_modules(struct wv_prepare *prepare);

/* Looks for the files of the kernel's modules, and sets *@ret to whether there are any. */
int wv_prepared_has_modules(struct wv_prepare *prepare, bool *ret, struct wv_error *error);

#endif /* WV_PREPARED_IMAGES_H */
