/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds where the sections of an object are in an image. A linker moves a section of an object as a
 * whole, so one address is all that there is to know about a section; by it, static functions and
 * variables of the same name can be distinguished.
 *
 * Each symbol of the section votes: if the image has symbols of that name, each of them implies an
 * address of the section. Most symbols have to agree. For code, only those symbols of the image
 * count that are in the object's unit, by DWARF. If a weak function was replaced by that of another
 * unit, the image has no symbol of its name there, and the place comes from its neighbours.
 *
 * A section with data may have no symbols (the compiler's own tables). For such a section, the
 * references in the object's functions vote: each implies the address to which the image refers in
 * the same place.
 */
#ifndef WV_FIND_PLACE_H
#define WV_FIND_PLACE_H

#include "prove/object-code.h"
#include "prove/shipped.h"

/*
 * Sets the places of all sections with symbols. @main: the main source file of the object's unit,
 * from wv_paths_name(). If no place gets the most votes, a section with data stays
 * WV_PLACE_UNKNOWN, with the address that most references imply; code becomes WV_PLACE_NONE.
 */
int wv_places_find(struct wv_object_code *code, const struct wv_shipped *shipped, const char *main,
		   struct wv_error *error);

/*
 * Returns whether, if @section is at @address, the image has a symbol of the same name and size for
 * each symbol of @section. False if @section has no symbols.
 */
bool wv_place_fits(const struct wv_object_code *code, const struct wv_shipped *shipped,
		   uint32_t section, uint64_t address);

#endif /* WV_FIND_PLACE_H */
