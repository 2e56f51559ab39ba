/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Members that the source writes by a macro, as sk_state of struct sock, which is
 * __sk_common.skc_state: as the kernel's accesses that are written so have it.
 */
#ifndef WV_MACRO_MEMBER_H
#define WV_MACRO_MEMBER_H

#include "base/error.h"
#include "base/str.h"

struct wv_db;

/*
 * Adds to @ret the path from struct @structure that macro @macro stands for. Nothing is added if it
 * is no such macro, or stands for different members in different places.
 */
int wv_db_macro_member(struct wv_db *db, const char *structure, const char *macro,
		       struct wv_str *ret, struct wv_error *error);

/* Calls @offer with each macro that stands for a member of @structure. */
int wv_db_each_macro_member(struct wv_db *db, const char *structure,
			    void (*offer)(void *context, const char *name), void *context,
			    struct wv_error *error);

#endif /* WV_MACRO_MEMBER_H */
