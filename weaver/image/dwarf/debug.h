/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the weaver takes from an image's DWARF besides lines: where the members of structs lie,
 * where functions are defined, their inlined copies, and which functions a compiler made. An image
 * without .debug_info gives nothing and is no error.
 */
#ifndef WV_DEBUG_H
#define WV_DEBUG_H

#include "base/hash.h"
#include "base/pool.h"
#include "image/image.h"
#include "image/dwarf/prototype.h"

/*
 * A member by the name of its struct (tag, or typedef of a struct without one); the members of
 * anonymous levels are the struct's own. A struct without any name that a member has for its type
 * is called "struct.member".
 */
struct wv_member {
	uint32_t structure, member; /* names */
	/* name of the struct that it is or is an array of, or WV_POOL_FAILED */
	uint32_t type;
	bool ambiguous;		    /* several structs of this name have it at different places */
	uint64_t offset;	    /* bytes; a bitfield's first one */
};

/* One inlined copy of a function. */
struct wv_inlined {
	uint64_t address; /* where it is entered */
	uint32_t function; /* name */
};

/* A function with code of its own. */
struct wv_opening {
	uint64_t address; /* its first byte */
	uint32_t line;	  /* where it is defined; the file is for line tables to say */
};

/* A function that keeps to the C calling convention. */
struct wv_compiled {
	uint64_t address;   /* its entry */
	unsigned int given; /* wv_prototype_given() */
};

struct wv_debug {
	struct wv_pool names;
	WV_VEC(struct wv_member) members;
	struct wv_hash member_index;
	WV_VEC(struct wv_inlined) inlined; /* by name, address; each once */
	WV_VEC(struct wv_compiled) compiled; /* ascending; each address once */
	WV_VEC(struct wv_opening) openings; /* by address */
	/* where code that GCC made of C begins: functions, and their cold parts; ascending */
	WV_VEC(uint64_t) pieces;
};

int wv_debug_init(struct wv_debug *debug, struct wv_image *image, struct wv_error *error);
/* The function that keeps to the C calling convention and begins at @address, or NULL. */
const struct wv_compiled *wv_debug_compiled(const struct wv_debug *debug, uint64_t address);
/*
 * Did GCC make the code that begins at @address, a function or its cold part, of C? Of assembler's
 * files, nobody says so.
 */
bool wv_debug_is_c(const struct wv_debug *debug, uint64_t address);
void wv_debug_deinit(struct wv_debug *debug);

/*
 * The offset of a member from the beginning of the outermost struct of @path
 * ("sock.__sk_common.skc_state"). False when DWARF does not know it or has several.
 */
bool wv_debug_offset(const struct wv_debug *debug, const char *path, uint64_t *ret);

#endif /* WV_DEBUG_H */
