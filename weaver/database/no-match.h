/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Explains why a pointcut found nothing. If the database does not know the name in the pointcut,
 * each function returns -WV_E_NO_MATCH and fills @error with similar names. If the database knows
 * the name, it returns 0. But wv_db_explain_tracepoint() and wv_db_explain_line() never return 0: a
 * tracepoint that is known has a match, and a line without a match has no code.
 */
#ifndef WV_NO_MATCH_H
#define WV_NO_MATCH_H

#include "base/error.h"
#include "database/pointcut.h"

struct wv_db;

int wv_db_explain_member(struct wv_db *db, const struct wv_pointcut *pointcut,
			 struct wv_error *error);
int wv_db_explain_file(struct wv_db *db, const char *file, struct wv_error *error);
int wv_db_explain_symbol(struct wv_db *db, const char *symbol, struct wv_error *error);
int wv_db_explain_tracepoint(struct wv_db *db, const char *name, struct wv_error *error);
int wv_db_explain_line(struct wv_db *db, const struct wv_pointcut *pointcut,
		       struct wv_error *error);

#endif /* WV_NO_MATCH_H */
