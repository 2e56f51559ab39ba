/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a member or file has no access of the kinds that were asked for: those that it has. */
#ifndef WV_MISSING_KINDS_H
#define WV_MISSING_KINDS_H

#include "base/error.h"
#include "database/pointcut.h"

struct wv_db;

/* -WV_E_NO_MATCH with the kinds of access that there are. */
int wv_db_explain_kinds(struct wv_db *db, const struct wv_pointcut *asked, struct wv_error *error);

#endif /* WV_MISSING_KINDS_H */
