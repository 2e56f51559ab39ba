/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names the targets of references in an object or an image, for messages. */
#ifndef WV_NAME_PLACE_H
#define WV_NAME_PLACE_H

#include "prove/object-code.h"
#include "prove/shipped.h"

/* A symbol and the distance from it in bytes. */
struct wv_place_name {
	const char *text;
	int64_t distance;
};

/*
 * Names the target of @relocation of the object. If the target is in a section without symbols,
 * names the section.
 */
struct wv_place_name wv_name_wanted(const struct wv_object_code *code,
				    const struct wv_relocation *relocation);

/* Names @found, the target in the image of the reference that is @relocation in the object. */
struct wv_place_name wv_name_found(const struct wv_shipped *shipped,
				   const struct wv_relocation *relocation,
				   const struct wv_shipped_target *found);

#endif /* WV_NAME_PLACE_H */
