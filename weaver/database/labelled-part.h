/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the other labels of an access's instruction. `p->a.b = x` is an access of a.b and an access
 * of a, so its instruction has two labels. The label of a.b says more exactly what the instruction
 * does.
 */
#ifndef WV_LABELLED_PART_H
#define WV_LABELLED_PART_H

#include "base/error.h"
#include "base/str.h"
#include "database/matches.h"

struct wv_db;

/*
 * Adds to @ret the longest path that is a part of @path, the whole path of @match, if the
 * instruction of @match has a label for it, too, with the same access effect and in the same
 * function of the source. Adds nothing if there is no such path, or if there are several that are
 * not parts of each other.
 */
int wv_db_labelled_part(struct wv_db *db, const struct wv_match *match, const char *path,
			struct wv_str *ret, struct wv_error *error);

#endif /* WV_LABELLED_PART_H */
