/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An image as it was shipped, with which objects are compared: its bytes, and what they refer to.
 * The image is a vmlinux, which is linked, or a module, which is relocatable. In a module,
 * addresses are those that wv_image_open() gave to the sections.
 */
#ifndef WV_SHIPPED_H
#define WV_SHIPPED_H

#include "image/dwarf/units.h"
#include "image/image.h"
#include "image/paths.h"
#include "image/relocations.h"
#include "prove/named-symbols.h"

struct wv_shipped {
	struct wv_image *image;
	struct wv_named_symbols named;
	/* units of the image; without DWARF there are none, and all code may be of any unit */
	const struct wv_units *units;
	const struct wv_paths *paths; /* names of the units' files */
	struct wv_object_tables tables; /* tables of a relocatable image; empty for a linked one */
};

/* The target that some bytes of the image refer to. */
struct wv_shipped_target {
	/* the name of a symbol that another image defines; NULL: .address is the target */
	const char *external;
	uint64_t address; /* address of the target; if .external is set, the addend */
};

/*
 * Reads all sections of @image that are loaded into memory. @units and @paths must stay valid.
 * @units may be read from the image's debug file, because it has the same addresses.
 */
int wv_shipped_init(struct wv_shipped *shipped, struct wv_image *image,
		    const struct wv_units *units, const struct wv_paths *paths,
		    struct wv_error *error);
void wv_shipped_deinit(struct wv_shipped *shipped);

/*
 * Returns the bytes at @address, and sets *@room_ret to their number up to the end of the section.
 * Returns NULL if the image has no bytes there.
 */
const uint8_t *wv_shipped_bytes(const struct wv_shipped *shipped, uint64_t address,
				size_t *room_ret);

/* The image's relocation of the bytes at @address; NULL: there is none, or the image is linked. */
const struct wv_relocation *wv_shipped_relocation(const struct wv_shipped *shipped,
						  uint64_t address);

/* The address of the image's first relocation at or after @address; UINT64_MAX: there is none. */
uint64_t wv_shipped_next_relocation(const struct wv_shipped *shipped, uint64_t address);

/*
 * Finds the target to which the @like->size bytes at @address refer. The bytes are taken to be a
 * reference of the same form as @like, relative or not. Returns false if the image is relocatable
 * and has no reference of this form there.
 */
bool wv_shipped_reference(const struct wv_shipped *shipped, uint64_t address, const uint8_t *bytes,
			  const struct wv_relocation *like, struct wv_shipped_target *ret);

/*
 * Returns whether the code at @address may be of the unit whose main source file is @main. Returns
 * false only if DWARF says that the code is of another unit. About some code DWARF says nothing, as
 * about assembler inside C (trampolines of static calls).
 */
bool wv_shipped_is_unit(const struct wv_shipped *shipped, uint64_t address, const char *main);

#endif /* WV_SHIPPED_H */
