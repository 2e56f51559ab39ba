/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks whether an offset is the first byte of an instruction. */
#ifndef WV_BOUNDARY_H
#define WV_BOUNDARY_H

#include "base/error.h"
#include "database/matches.h"

struct wv_db;

/*
 * Removes the matches whose shadow is not the first byte of an instruction. Instructions have
 * different lengths, so their first bytes are found by decoding from the function's start. If it
 * removes every match, returns -WV_E_NO_MATCH with a message that names the instructions around the
 * last removed shadow.
 */
int wv_db_check_boundaries(struct wv_db *db, struct wv_matches *matches, struct wv_error *error);

#endif /* WV_BOUNDARY_H */
