/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds where the sections of an object are in an image. A linker moves a section of an object as a
 * whole, so one address is all that there is to know of a section, and it tells static functions
 * and variables of one name apart.
 *
 * Each symbol of the section says where the section is if the symbol is one of those of its name in
 * the image; most symbols have to agree. For code, only symbols count that are in the unit of the
 * object, by DWARF. So the place of a weak function that another unit's has replaced is that of its
 * neighbours: where the image has no symbol of its name.
 *
 * A section with data may have no symbols (the compiler's own tables). For it, the references of
 * the object's functions vote: what the image has in their place.
 */
#ifndef WV_FIND_PLACE_H
#define WV_FIND_PLACE_H

#include "prove/object-code.h"
#include "prove/shipped.h"

/*
 * Sets the places of all sections with symbols. @main: the main source file of the object's unit,
 * as wv_paths_name() has it. A section with data and no place that is the best stays
 * WV_PLACE_UNKNOWN, with the address that most references have; code becomes WV_PLACE_NONE.
 */
int wv_places_find(struct wv_object_code *code, const struct wv_shipped *shipped, const char *main,
		   struct wv_error *error);

/*
 * Whether all symbols of @section have a symbol of their name and size in the image, if the section
 * is at @address. False if it has no symbols.
 */
bool wv_place_fits(const struct wv_object_code *code, const struct wv_shipped *shipped,
		   uint32_t section, uint64_t address);

#endif /* WV_FIND_PLACE_H */
