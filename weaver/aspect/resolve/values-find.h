/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the variables that advice names: where each variable is at each shadow, according to the
 * kernel's DWARF and the shadow's own instruction.
 */
#ifndef WV_VALUES_FIND_H
#define WV_VALUES_FIND_H

#include "aspect/xml/errors.h"
#include "aspect/resolve/values.h"

struct wv_kernel_files;

/*
 * Finds all variables for the finished @selection. The images in @files must have the build-ids
 * that @db has. Joinpoints of optional advice that lack a variable are dropped from @selection. For
 * other advice this is an error: added to @errors with its location in the body and the shadow;
 * @error is the last of them.
 */
int wv_values_find(struct wv_values *values, const struct wv_aspect *aspect,
		   struct wv_selection *selection, struct wv_db *db,
		   const struct wv_kernel_files *files,
		   struct wv_errors *errors, struct wv_error *error);

#endif /* WV_VALUES_FIND_H */
