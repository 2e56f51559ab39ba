/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the variables that advice names: where each is at each shadow, from the kernel's DWARF and
 * the shadow's own instruction.
 */
#ifndef WV_VALUES_FIND_H
#define WV_VALUES_FIND_H

#include "aspect/xml/errors.h"
#include "aspect/resolve/values.h"

struct wv_kernel_files;

/*
 * Finds all variables for the sorted list of @selection. The images in @files must have the
 * build-ids that @db has. If a variable is unavailable at a joinpoint of optional advice, drops the
 * joinpoint from @selection. For all other advice this is an error: adds it to @errors, with the
 * variable's location in the body and the shadow. @error is the last error. Also refuses the
 * joinpoints of around-advice whose functions it cannot replace (signature.h).
 */
int wv_values_find(struct wv_values *values, const struct wv_aspect *aspect,
		   struct wv_selection *selection, struct wv_db *db,
		   const struct wv_kernel_files *files,
		   struct wv_errors *errors, struct wv_error *error);

#endif /* WV_VALUES_FIND_H */
