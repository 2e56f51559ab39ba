/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Is an offset the first byte of an instruction? */
#ifndef WV_BOUNDARY_H
#define WV_BOUNDARY_H

#include "base/error.h"
#include "database/matches.h"

struct wv_db;

/*
 * Removes from @matches those that do not lie on the first byte of an instruction, counted from the
 * function's start; -WV_E_NO_MATCH with the instructions around when none is left.
 */
int wv_db_check_boundaries(struct wv_db *db, struct wv_matches *matches, struct wv_error *error);

#endif /* WV_BOUNDARY_H */
