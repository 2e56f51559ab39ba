/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds where the sections of an object are in an image. A linker moves a section as a whole, so
 * one address says where everything in it is. The address also distinguishes static functions and
 * variables that have the same name in several units.
 *
 * Each symbol of the section votes for an address: if the image has symbols of that name, each of
 * them implies an address of the section. The section is at the address with the most votes. For
 * code, symbols of the image count only if DWARF says that they are in the object's unit. If a weak
 * function was replaced by a function of another unit, the image has no symbol of its name in this
 * unit. The other symbols of the section then decide.
 *
 * A section with data may have no symbols, as the compiler's own tables have none. For such a
 * section the references in the object's functions vote: each implies an address of the section by
 * what the image refers to at the same place.
 */
#ifndef WV_FIND_PLACE_H
#define WV_FIND_PLACE_H

#include "prove/object-code.h"
#include "prove/shipped.h"

/*
 * Sets the places of all sections with symbols. @main is the main source file of the object's unit,
 * from wv_paths_name(). If no place gets the most votes, the place of code becomes WV_PLACE_NONE.
 * The place of data stays WV_PLACE_UNKNOWN, and so does that of a section without symbols. Their
 * .address is the one that most references imply.
 */
int wv_places_find(struct wv_object_code *code, const struct wv_shipped *shipped, const char *main,
		   struct wv_error *error);

/*
 * Returns whether @section may be at @address: for each symbol of @section the image must have a
 * symbol of the same name and size at the corresponding address. Returns false if @section has no
 * symbols.
 */
bool wv_place_fits(const struct wv_object_code *code, const struct wv_shipped *shipped,
		   uint32_t section, uint64_t address);

#endif /* WV_FIND_PLACE_H */
