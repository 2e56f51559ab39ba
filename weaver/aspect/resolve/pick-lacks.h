/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds which joinpoints the answers to an aspect's pointcuts may lack (database/unprepared.h). */
#ifndef WV_PICK_LACKS_H
#define WV_PICK_LACKS_H

#include "aspect/language/aspect-model.h"
#include "database/unprepared.h"

struct wv_db;

/*
 * Calls @visit for each leaf of the aspect's pointcuts for which the database may lack joinpoints,
 * because some units were not prepared. @unprepared: the number of these units. Skips leaves that
 * are only for other kernels. If the leaf is in an <and> with a <within> that names a file, only
 * units of that file count. A nonzero result of @visit, or an error, ends the walk and is returned.
 */
int wv_pick_lacks(const struct wv_aspect *aspect, struct wv_db *db,
		  int (*visit)(const struct wv_pick *leaf, const struct wv_unprepared *unprepared,
			       void *context, struct wv_error *error),
		  void *context, struct wv_error *error);

#endif /* WV_PICK_LACKS_H */
