/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds more exact labels of an access's instruction. `p->a.b = x` is an access of a.b and an
 * access of a, so its instruction has two labels. The label of a.b says more exactly what the
 * instruction does.
 */
#ifndef WV_LABELLED_PART_H
#define WV_LABELLED_PART_H

#include "base/error.h"
#include "base/str.h"
#include "database/matches.h"

struct wv_db;

/*
 * The instruction of @match has a label for the member at @path, such as a. It may have others, for
 * parts of that member, such as a.b and a.b.c. Adds to @ret the longest of these paths whose label
 * has the same access effect and is of the same source function. Adds nothing if there is none, or
 * if there are two of which neither is a part of the other (a.b and a.c).
 */
int wv_db_labelled_part(struct wv_db *db, const struct wv_match *match, const char *path,
			struct wv_str *ret, struct wv_error *error);

#endif /* WV_LABELLED_PART_H */
