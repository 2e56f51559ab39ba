/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The images of a preparation: the vmlinux, the modules that the database has already, and the
 * modules that this run was asked to add.
 */
#ifndef WV_PREPARED_IMAGES_H
#define WV_PREPARED_IMAGES_H

#include "image/image.h"
#include "prepare/prepare.h"

/* Adds @image, the opened vmlinux, and its units. To be called before other images are added. */
int wv_prepared_vmlinux(struct wv_prepare *prepare, struct wv_image *image, struct wv_error *error);

/*
 * Adds the modules that the database of an earlier run has. Returns -WV_E_FAILURE if the file of
 * one of them is missing: the new database would lack this module.
 */
int wv_prepared_keep_modules(struct wv_prepare *prepare, struct wv_error *error);

/*
 * Adds the kernel's modules that @pattern names (database/within.h), unless they were added before.
 * -WV_E_NO_MATCH: there is no such module, and @pattern does not name the vmlinux either.
 */
int wv_prepared_add_modules(struct wv_prepare *prepare, const char *pattern,
			    struct wv_error *error);

/* Removes the modules of which no unit is chosen, but for those that an earlier database has. */
void wv_prepared_drop_modules(struct wv_prepare *prepare);

/* Sets *@ret to whether files of the kernel's modules were found. */
int wv_prepared_has_modules(struct wv_prepare *prepare, bool *ret, struct wv_error *error);

#endif /* WV_PREPARED_IMAGES_H */
