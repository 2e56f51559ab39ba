/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the values of variables: for each shadow of an advice that names one, where it is,
 * according to the kernel's DWARF and the shadow's own instruction.
 */
#ifndef WV_VALUES_FIND_H
#define WV_VALUES_FIND_H

#include "aspect/xml/errors.h"
#include "aspect/resolve/values.h"

/*
 * Finds all values of the finished @selection, in the image at @vmlinux, whose build-id must be
 * @db's. Joinpoints of optional advice that lack a variable are dropped from @selection. Other
 * missing variables are added to @errors, each with its place in the body and its shadow; @error is
 * the last of them.
 */
int wv_values_find(struct wv_values *values, const struct wv_aspect *aspect,
		   struct wv_selection *selection, struct wv_db *db, const char *vmlinux,
		   struct wv_errors *errors, struct wv_error *error);

#endif /* WV_VALUES_FIND_H */
