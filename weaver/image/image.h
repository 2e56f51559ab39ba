/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads an ELF file: its sections, symbols and build-id. No other file of the weaver opens ELF
 * files. Everything that these functions return is valid until wv_image_close(). Addresses are link
 * addresses.
 */
#ifndef WV_IMAGE_H
#define WV_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/vec.h"
#include "runtime/abi.h"

struct wv_image;

struct wv_section {
	const char *name;
	uint64_t address, size;
	uint64_t file_offset; /* bytes from the start of the file, before decompression */
	uint64_t flags;	     /* SHF_* */
	uint64_t element;    /* size in bytes of one element, if the section is a table; else 0 */
	uint32_t type;	     /* SHT_* */
	/*
	 * NULL: the section is not loaded (wv_image_load()), or has no bytes in the file (NOBITS,
	 * empty)
	 */
	const uint8_t *data;
};

/*
 * Opens a 64-bit x86 ELF file. Checks that every section lies inside the file, so that a truncated
 * file is reported at once and in one line. Returns -WV_E_FORMAT if the file is damaged or of
 * another sort; the message names @path.
 */
int wv_image_open(const char *path, struct wv_image **ret, struct wv_error *error);
void wv_image_close(struct wv_image *image);

static inline void wv_cleanup_image(struct wv_image **image)
{
	wv_image_close(*image);
}
#define _cleanup_image_ __attribute__((cleanup(wv_cleanup_image)))

const char *wv_image_path(const struct wv_image *image);
/*
 * Returns libelf's handle of the file. wv_image_load() makes sure that the bytes of a section, as
 * seen through this handle, are decompressed and relocated.
 */
struct Elf *wv_image_elf(const struct wv_image *image);
int wv_image_fd(const struct wv_image *image);

/*
 * Returns whether the image is a .o or .ko file. The sections of such a file have no addresses yet,
 * so wv_image_open() gives them addresses from WV_LAYOUT_START on. Each section that the kernel
 * would load (SHF_ALLOC) gets a range of its own, in the order of the sections. After the last
 * section, each symbol that another image defines gets an address of its own. The bytes of the
 * sections are relocated to these addresses.
 */
bool wv_image_is_relocatable(const struct wv_image *image);

/*
 * Returns whether the image is a program or a shared library, and not a kernel: it is linked to run
 * in a process, and has no .init.text, which every kernel has.
 */
bool wv_image_is_program(const struct wv_image *image);

/*
 * The first address of a relocatable image. Like the kernel's own addresses, it is in the top two
 * GB. So a 32-bit reference can hold an address of the image, and no number in a module's data
 * looks like one by accident.
 */
#define WV_LAYOUT_START 0xffffffffc0001000ull

/* Returns whether the file itself, and not a debug file, has the debug information of the image. */
bool wv_image_has_debug(const struct wv_image *image);

/*
 * wv_image_debug() returns the debug file of @image, or NULL if it has none. wv_image_keep_debug()
 * sets the debug file, which @image then owns.
 */
struct wv_image *wv_image_debug(const struct wv_image *image);
void wv_image_keep_debug(struct wv_image *image, struct wv_image *debug);

/*
 * Gives the sections of @image the addresses of the sections of @other with the same names. @image
 * is the debug file of @other (debug-file.h). Call this before any section of @image is loaded.
 * Returns -WV_E_MISMATCH if @image lacks one of the sections, or if one has another size.
 */
int wv_image_place_as(struct wv_image *image, const struct wv_image *other,
		      struct wv_error *error);

/* The GNU build-id; *@size_ret is 0 if the image has none. */
const uint8_t *wv_image_build_id(const struct wv_image *image, size_t *size_ret);

typedef WV_VEC(struct wv_section) wv_sections;

/* All sections by index. .data is NULL in those that are not loaded yet. */
const wv_sections *wv_image_sections(const struct wv_image *image);

/*
 * Finds the section @name and loads its bytes, decompressed if necessary. Sets *@ret to NULL if no
 * section has this name. Returns -WV_E_FORMAT if the section's bytes cannot be read.
 */
int wv_image_section(struct wv_image *image, const char *name, const struct wv_section **ret,
		     struct wv_error *error);

/* Loads the bytes of @section, which is an element of wv_image_sections(). */
int wv_image_load(struct wv_image *image, const struct wv_section *section, struct wv_error *error);

/*
 * Sets *@ret to the bytes at @address, and *@room_ret to the number of bytes from there to the end
 * of the executable section that contains them. Sets *@room_ret to 0 if no executable section has
 * bytes at @address.
 */
int wv_image_text(struct wv_image *image, uint64_t address, const uint8_t **ret, size_t *room_ret,
		  struct wv_error *error);

/* One entry of the symbol table. */
struct wv_elf_symbol {
	const char *name;
	uint64_t address, size;
	uint8_t type, binding; /* STT_* and STB_* */
	bool executable;       /* the symbol is defined in an executable section */
};

/* Calls @visit for every defined symbol. A non-zero result ends the walk and is returned. */
int wv_image_each_symbol(struct wv_image *image,
			 int (*visit)(const struct wv_elf_symbol *symbol, void *context,
				      struct wv_error *error),
			 void *context, struct wv_error *error);

/*
 * Calls @visit, as wv_image_each_symbol() does, for every symbol that a relocatable image takes
 * from another image.
 */
int wv_image_each_import(struct wv_image *image,
			 int (*visit)(const struct wv_elf_symbol *symbol, void *context,
				      struct wv_error *error),
			 void *context, struct wv_error *error);

#endif /* WV_IMAGE_H */
