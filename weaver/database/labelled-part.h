/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the most exact label of an access's instruction. `p->a.b = x` is an access of a.b and also
 * an access of a, so its instruction has a label for each of the two. The label for a.b says more
 * exactly what the instruction does.
 */
#ifndef WV_LABELLED_PART_H
#define WV_LABELLED_PART_H

#include "base/error.h"
#include "base/str.h"
#include "database/matches.h"

struct wv_db;

/*
 * Finds which part of the member at @path the instruction of @match accesses. The instruction has a
 * label for @path, such as a. It may also have labels for parts of this member, such as a.b and
 * a.b.c. Only those labels count that have the same access effect and are of the same source
 * function. Adds to @ret the longest path that such a label has. Adds nothing in two cases:
 * - The instruction has no such label for a part.
 * - It has such labels for two parts of which neither is a part of the other (a.b and a.c).
 */
int wv_db_labelled_part(struct wv_db *db, const struct wv_match *match, const char *path,
			struct wv_str *ret, struct wv_error *error);

#endif /* WV_LABELLED_PART_H */
