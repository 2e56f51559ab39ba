/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds members that the source writes by a macro: sk_state of struct sock stands for
 * __sk_common.skc_state. They are found from the accesses in the kernel that are written with the
 * macro.
 */
#ifndef WV_MACRO_MEMBER_H
#define WV_MACRO_MEMBER_H

#include "base/error.h"
#include "base/str.h"

struct wv_db;

/*
 * Adds to @ret the path, from struct @structure, that macro @macro stands for. Nothing is added if
 * the macro stands for no member, or for different members at different locations.
 */
int wv_db_macro_member(struct wv_db *db, const char *structure, const char *macro,
		       struct wv_str *ret, struct wv_error *error);

/* Calls @offer with each macro that stands for a member of @structure. */
int wv_db_each_macro_member(struct wv_db *db, const char *structure,
			    void (*offer)(void *context, const char *name), void *context,
			    struct wv_error *error);

#endif /* WV_MACRO_MEMBER_H */
