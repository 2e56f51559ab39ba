/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the thunks of an image, as far as the image shows them. A thunk is code that returns,
 * indirect calls or kernel entries run through because of some mitigation
 * (runtime/blacklist-names.h). Alternatives, which the kernel applies when it boots, are not
 * followed here; weft.ko follows the live text. All addresses are link addresses.
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
