/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Explains why a member or file has no access of the requested kinds. The message names the kinds
 * of accesses that the member or file has, and other members of the same union that have accesses
 * of the requested kinds.
 */
#ifndef WV_MISSING_KINDS_H
#define WV_MISSING_KINDS_H

#include "base/error.h"
#include "database/pointcut.h"

struct wv_db;

/* Returns -WV_E_NO_MATCH; the message names the kinds of access that exist. */
int wv_db_explain_kinds(struct wv_db *db, const struct wv_pointcut *asked, struct wv_error *error);

#endif /* WV_MISSING_KINDS_H */
