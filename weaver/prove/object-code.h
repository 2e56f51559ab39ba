/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An object as the compiler made it, to be compared with a shipped image. It consists of functions,
 * of what their bytes refer to, and of the places in them that later steps of a build may have
 * rewritten.
 */
#ifndef WV_OBJECT_CODE_H
#define WV_OBJECT_CODE_H

#include "image/image.h"
#include "image/relocations.h"

/* A place in a section of the object. */
struct wv_object_place {
	uint32_t section;
	uint64_t offset;
};

/* All symbols of functions that begin at one place. */
struct wv_object_function {
	struct wv_object_place at;
	uint64_t size;
	/* range of positions in wv_object_code.symbols: .n of them, from .first on */
	size_t first, n;
};

enum wv_site_kind {
	WV_SITE_JUMP_LABEL, /* a jump to .target, or a nop of its size */
	WV_SITE_FTRACE,	 /* call __fentry__, or a nop of 5 bytes */
};

/* An instruction that objtool may have replaced in the object, in the image or in both. */
struct wv_object_site {
	/* .target is set only for jump labels. */
	struct wv_object_place at, target;
	enum wv_site_kind kind;
};

/* The place of a section of the object in the image. */
struct wv_section_place {
	enum {
		/* not decided yet; compare.c decides when something refers to the section */
		WV_PLACE_UNKNOWN,
		WV_PLACE_KNOWN,
		/*
		 * the section is not in the image, or cannot be distinguished from other sections
		 */
		WV_PLACE_NONE,
	} state;
	/*
	 * if KNOWN: the section's address in the image; if UNKNOWN: the address that most
	 * references imply, or 0 if they do not agree
	 */
	uint64_t address;
};

struct wv_object_code {
	struct wv_image *image;
	struct wv_object_tables tables;
	/* numbers of symbols with a name and a place in a loaded section, sorted by place */
	WV_VEC(uint32_t) symbols;
	WV_VEC(struct wv_object_function) functions; /* sorted by place */
	WV_VEC(struct wv_object_site) sites;	     /* sorted by place */
	WV_VEC(struct wv_section_place) places;	     /* indexed by number of the section */
};

/*
 * Reads @object, which must be relocatable, and must stay open. Reads all sections that are loaded
 * into memory. Their places in the image are all WV_PLACE_UNKNOWN until find-place.h finds them.
 */
int wv_object_code_init(struct wv_object_code *code, struct wv_image *object,
			struct wv_error *error);
void wv_object_code_deinit(struct wv_object_code *code);

/* Returns the index of the first site at or after @place; .sites.n if there is none. */
size_t wv_object_sites_from(const struct wv_object_code *code, struct wv_object_place place);

/*
 * Gets the range in .symbols of the symbols in @section: the position of the first one, and the
 * position after the last one.
 */
void wv_object_symbols_in(const struct wv_object_code *code, uint32_t section, size_t *first_ret,
			  size_t *end_ret);

#endif /* WV_OBJECT_CODE_H */
