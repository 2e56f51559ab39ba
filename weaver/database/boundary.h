/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks whether an offset is the first byte of an instruction. */
#ifndef WV_BOUNDARY_H
#define WV_BOUNDARY_H

#include "base/error.h"
#include "database/matches.h"

struct wv_db;

/*
 * Removes the matches whose shadow is not the first byte of an instruction, which is found by
 * decoding from the function's start. If no match is left, returns -WV_E_NO_MATCH; the message
 * names the instructions around the shadow.
 */
int wv_db_check_boundaries(struct wv_db *db, struct wv_matches *matches, struct wv_error *error);

#endif /* WV_BOUNDARY_H */
