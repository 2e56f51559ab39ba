/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An ELF file that is read: its sections, symbols and build-id. The only place where the weaver
 * opens ELF files. Everything it returns lives until wv_image_close(). Addresses are link
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
	uint64_t flags;	     /* SHF_* */
	uint32_t type;	     /* SHT_* */
	const uint8_t *data; /* NULL where the file has no bytes: NOBITS, or empty */
};

/*
 * Opens a 64-bit x86 ELF file and checks that every section lies inside the file, so that a
 * truncated one is told here and in one line. -WV_E_FORMAT names @path.
 */
int wv_image_open(const char *path, struct wv_image **ret, struct wv_error *error);
void wv_image_close(struct wv_image *image);

static inline void wv_cleanup_image(struct wv_image **image)
{
	wv_image_close(*image);
}
#define _cleanup_image_ __attribute__((cleanup(wv_cleanup_image)))

const char *wv_image_path(const struct wv_image *image);
/* libelf's handle. It has decompressed and relocated bytes of the sections that were loaded. */
struct Elf *wv_image_elf(const struct wv_image *image);
int wv_image_fd(const struct wv_image *image);

/*
 * True for .o and .ko. Their sections have no addresses yet: those that are loaded get some here,
 * one after the other, and what is read from the file is relocated to them. What refers to another
 * image stays as it is in the file.
 */
bool wv_image_is_relocatable(const struct wv_image *image);

/* The GNU build-id; *@size_ret is 0 when the image has none. */
const uint8_t *wv_image_build_id(const struct wv_image *image, size_t *size_ret);

typedef WV_VEC(struct wv_section) wv_sections;

/* All sections, without their bytes. */
const wv_sections *wv_image_sections(const struct wv_image *image);

/*
 * One section by name with its bytes, decompressed where it was compressed. *@ret is NULL when
 * there is none; -WV_E_FORMAT when its bytes cannot be had.
 */
int wv_image_section(struct wv_image *image, const char *name, const struct wv_section **ret,
		     struct wv_error *error);

/* Loads the bytes of @section, one of wv_image_sections(). */
int wv_image_load(struct wv_image *image, const struct wv_section *section, struct wv_error *error);

/*
 * The bytes of the executable section that holds @address, from there on. *@room_ret is 0 where
 * there are none.
 */
int wv_image_text(struct wv_image *image, uint64_t address, const uint8_t **ret, size_t *room_ret,
		  struct wv_error *error);

/* One entry of the symbol table. */
struct wv_elf_symbol {
	const char *name;
	uint64_t address, size;
	uint8_t type, binding; /* STT_*, STB_* */
	bool executable;       /* it is defined in an executable section */
};

/* Calls @visit for every defined symbol; a value other than 0 ends the walk and is returned. */
int wv_image_each_symbol(struct wv_image *image,
			 int (*visit)(const struct wv_elf_symbol *symbol, void *context,
				      struct wv_error *error),
			 void *context, struct wv_error *error);

#endif /* WV_IMAGE_H */
