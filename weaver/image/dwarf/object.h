/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What libdwarf sees of an image: the sections that line tables need and no others, with the image's own bytes. It is not
 * shown the file, because it stumbles over damaged sections that nobody asked it to read.
 */
#ifndef WV_OBJECT_H
#define WV_OBJECT_H

#include <libdwarf.h>

#include "image/image.h"

#define WV_OBJECT_SECTIONS 6 /* with the null section */

/* Must stay where it is as long as the Dwarf_Debug is used. */
struct wv_object {
	const struct wv_section *sections[WV_OBJECT_SECTIONS];
	Dwarf_Obj_Access_Interface interface;
};

/* *@ret is NULL when the image has no DWARF. */
int wv_object_open(struct wv_object *object, struct wv_image *image, Dwarf_Debug *ret,
		   struct wv_error *error);
void wv_object_close(Dwarf_Debug dbg);

#endif /* WV_OBJECT_H */
