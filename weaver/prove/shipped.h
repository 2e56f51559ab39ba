/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An image as it was shipped, which objects are compared with: its bytes, and what they refer to.
 * The image is linked (a vmlinux) or relocatable (a module). In a relocatable image, addresses are
 * those that wv_image_open() gave the sections.
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
	/* empty if the image has no DWARF: then all code may be of any unit */
	const struct wv_units *units;
	const struct wv_paths *paths; /* names of the units' files */
	struct wv_object_tables tables; /* of a relocatable image; else empty */
};

/* The target that some bytes of the image refer to. */
struct wv_shipped_target {
	/* the name of a symbol that another image defines; NULL: .address is the target */
	const char *external;
	uint64_t address; /* with .external: the addend */
};

/*
 * Reads @image. All sections that are loaded into memory are read. @units and @paths must stay
 * valid. @units may be of the image's debug file, whose addresses are the image's.
 */
int wv_shipped_init(struct wv_shipped *shipped, struct wv_image *image,
		    const struct wv_units *units, const struct wv_paths *paths,
		    struct wv_error *error);
void wv_shipped_deinit(struct wv_shipped *shipped);

/* The bytes from @address to the end of its section; NULL: the image has none there. */
const uint8_t *wv_shipped_bytes(const struct wv_shipped *shipped, uint64_t address,
				size_t *room_ret);

/* The image's relocation of the bytes at @address; NULL: there is none, or the image is linked. */
const struct wv_relocation *wv_shipped_relocation(const struct wv_shipped *shipped,
						  uint64_t address);

/* The address of the image's first relocation at or after @address; UINT64_MAX: there is none. */
uint64_t wv_shipped_next_relocation(const struct wv_shipped *shipped, uint64_t address);

/*
 * *@ret: the target that the @like->size bytes at @address refer to, read as a reference of the
 * form of @like (relative or not). False: the image is relocatable and has no reference of that
 * form there.
 */
bool wv_shipped_reference(const struct wv_shipped *shipped, uint64_t address, const uint8_t *bytes,
			  const struct wv_relocation *like, struct wv_shipped_target *ret);

/*
 * May the code at @address be of the unit whose main source file is @main? Yes, unless DWARF says
 * that it is of another unit. DWARF has nothing about assembler inside C (trampolines of static
 * calls).
 */
bool wv_shipped_is_unit(const struct wv_shipped *shipped, uint64_t address, const char *main);

#endif /* WV_SHIPPED_H */
