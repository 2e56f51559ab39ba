/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decides which kernel functions are leavable. If a leavable function faults while advice calls it,
 * weft.ko can end both the function and the advice in the middle. The trampoline then continues
 * with the stack pointer and the frame pointer that the unwinder has computed. Everything else
 * stays as the function has left it. Whether a function is leavable is decided from its
 * instructions in the vmlinux.
 */
#ifndef WV_LEAVABLE_H
#define WV_LEAVABLE_H

#include "base/error.h"
#include "base/vec.h"
#include "runtime/code-tables.h"

struct wv_db;

typedef WV_VEC(struct weft_leavable) wv_leavables;

struct wv_leavable_search;

int wv_leavable_search_create(struct wv_db *db, struct wv_leavable_search **ret,
			      struct wv_error *error);
void wv_leavable_search_destroy(struct wv_leavable_search *search);

/*
 * If the function @name is leavable, adds to @ret the function, all functions that it calls or
 * jumps to, and its variants that alternatives may jump to (memcpy_erms), each unless @ret has it
 * already. Adds nothing if the vmlinux has no function of this name.
 */
int wv_leavable_add(struct wv_leavable_search *search, const char *name, wv_leavables *ret,
		    struct wv_error *error);

#endif /* WV_LEAVABLE_H */
