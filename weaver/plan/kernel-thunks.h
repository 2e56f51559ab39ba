/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the thunks of an image. A thunk is code through which all returns, indirect calls or kernel
 * entries run because of some mitigation of the CPU's flaws (runtime/blacklist-names.h). At boot,
 * alternatives may redirect them to other thunks, which the image does not show. weft.ko finds
 * these in the text of the running kernel. All addresses are link addresses.
 */
#ifndef WV_KERNEL_THUNKS_H
#define WV_KERNEL_THUNKS_H

#include <stdint.h>

#include "base/error.h"
#include "base/vec.h"
#include "database/db.h"

struct wv_thunk {
	uint64_t start, end;
};
struct wv_thunk_list {
	WV_VEC(struct wv_thunk) list;
};

/* Adds the thunks of the database's image to @ret; the caller frees the list, after errors, too. */
int wv_thunks_find(struct wv_db *db, struct wv_thunk_list *ret, struct wv_error *error);

#endif /* WV_KERNEL_THUNKS_H */
