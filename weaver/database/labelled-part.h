/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an instruction is labelled with besides an access: `p->a.b = x` is an access of a.b and one
 * of a, so the label of a says less than that of a.b of what the instruction does.
 */
#ifndef WV_LABELLED_PART_H
#define WV_LABELLED_PART_H

#include "base/error.h"
#include "base/str.h"
#include "database/matches.h"

struct wv_db;

/*
 * Adds to @ret the longest path that is a part of @path, the whole one of @match, and that the
 * instruction of @match is labelled with too, for the same access effect and in the same function
 * of the source; nothing if there is none, or several that do not lie in each other.
 */
int wv_db_labelled_part(struct wv_db *db, const struct wv_match *match, const char *path,
			struct wv_str *ret, struct wv_error *error);

#endif /* WV_LABELLED_PART_H */
