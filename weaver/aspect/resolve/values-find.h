/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the values of variables: for each shadow of an advice that names one, the kernel's DWARF
 * and the shadow's own instruction say where it is.
 */
#ifndef WV_VALUES_FIND_H
#define WV_VALUES_FIND_H

#include "aspect/xml/errors.h"
#include "aspect/resolve/values.h"

/*
 * Finds them all for the finished @selection, in the image at @vmlinux, whose build-id must be
 * @db's. Drops the joinpoints of optional advices that lack one from @selection. What is missing
 * elsewhere is added to @errors, each with its place in the body and its shadow; the last of them
 * is @error.
 */
int wv_values_find(struct wv_values *values, const struct wv_aspect *aspect,
		   struct wv_selection *selection, struct wv_db *db, const char *vmlinux,
		   struct wv_errors *errors, struct wv_error *error);

#endif /* WV_VALUES_FIND_H */
