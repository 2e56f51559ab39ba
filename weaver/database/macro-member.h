/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the members that the source writes as a macro: sk_state of struct sock expands to
 * __sk_common.skc_state. Finds only macros with which an access of the kernel is written.
 */
#ifndef WV_MACRO_MEMBER_H
#define WV_MACRO_MEMBER_H

#include "base/error.h"
#include "base/str.h"

struct wv_db;

/*
 * Adds to @ret the path, from struct @structure on, to which the macro @macro expands. Adds nothing
 * if it expands to no member, or to different members in different accesses.
 */
int wv_db_macro_member(struct wv_db *db, const char *structure, const char *macro,
		       struct wv_str *ret, struct wv_error *error);

/* Calls @offer with each macro that expands to a member of @structure. */
int wv_db_each_macro_member(struct wv_db *db, const char *structure,
			    void (*offer)(void *context, const char *name), void *context,
			    struct wv_error *error);

#endif /* WV_MACRO_MEMBER_H */
