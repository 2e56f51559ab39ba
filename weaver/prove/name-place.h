/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names for what bytes of an object or an image refer to, for messages. */
#ifndef WV_NAME_PLACE_H
#define WV_NAME_PLACE_H

#include "prove/object-code.h"
#include "prove/shipped.h"

/* A symbol and the distance from it in bytes. */
struct wv_place_name {
	const char *text;
	int64_t distance;
};

/* What @relocation of the object refers to; of a section without symbols, its name. */
struct wv_place_name wv_name_wanted(const struct wv_object_code *code,
				    const struct wv_relocation *relocation);

/* @found, which the image refers to where the object has @relocation. */
struct wv_place_name wv_name_found(const struct wv_shipped *shipped,
				   const struct wv_relocation *relocation,
				   const struct wv_shipped_target *found);

#endif /* WV_NAME_PLACE_H */
