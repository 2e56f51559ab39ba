/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads an image's DWARF: the offsets of members, the definitions of functions and their inlined
 * instances, and which functions a compiler made. lines.h reads the line tables. It is no error if
 * the image has no .debug_info; all lists are then empty.
 */
#ifndef WV_DEBUG_H
#define WV_DEBUG_H

#include "base/hash.h"
#include "base/pool.h"
#include "image/image.h"
#include "image/dwarf/prototype.h"

/*
 * A member of a struct that has a name: its tag, or the typedef of a struct without a tag. The
 * members of an anonymous struct inside it are its own members, too. If an unnamed struct is the
 * type of a member, it gets the name "struct.member".
 */
struct wv_member {
	uint32_t structure, member; /* numbers in the pool of names */
	/*
	 * number of the name of the struct that is the member's type (or an array's element type);
	 * WV_POOL_FAILED: no struct
	 */
	uint32_t type;
	/* several structs have this name and the member, at different offsets or of another type */
	bool ambiguous;
	uint64_t offset;	    /* offset in bytes; for a bitfield, that of its first byte */
};

/* One inlined instance of a function. */
struct wv_inlined {
	uint64_t address; /* link address of its entry */
	uint32_t function; /* number in the pool of names */
};

/* A contiguous piece of the code of an inlined instance. */
struct wv_inlined_piece {
	uint64_t start, end; /* link addresses; .end is after the last byte */
	uint32_t function;   /* number in the pool of names */
	uint32_t depth;	     /* greater than that of the instances around it */
};

/* A function with code of its own. */
struct wv_opening {
	uint64_t address; /* link address of its first byte */
	uint32_t line;	  /* line of its definition; the line table has the file */
};

/* A function that follows the C calling convention. */
struct wv_compiled_entry {
	uint64_t address;   /* link address of its entry */
	unsigned int given; /* number of argument registers, from wv_prototype_given() */
};

struct wv_debug {
	struct wv_pool names;
	WV_VEC(struct wv_member) members;
	struct wv_hash member_index;
	WV_VEC(struct wv_inlined) inlined; /* sorted by name, then by address; each once */
	/* sorted by start; of pieces that start together, the outermost first */
	WV_VEC(struct wv_inlined_piece) inlined_pieces;
	WV_VEC(struct wv_compiled_entry) compiled; /* sorted by address; each once */
	WV_VEC(struct wv_opening) openings; /* sorted by address */
	/*
	 * start addresses of code that GCC compiled from C: functions and their cold parts;
	 * ascending
	 */
	WV_VEC(uint64_t) pieces;
};

/*
 * Fills @debug from the DWARF of @image. If @members is set, also reads the members of structs,
 * which takes longer. wv_debug_offset() can be used only in this case.
 */
int wv_debug_init(struct wv_debug *debug, struct wv_image *image, bool members,
		  struct wv_error *error);
/* Returns the function at @address if it follows the C calling convention, else NULL. */
const struct wv_compiled_entry *wv_debug_compiled(const struct wv_debug *debug, uint64_t address);
/*
 * Returns whether GCC compiled the function or cold part at @address from C, according to DWARF.
 * Returns false for code from assembler files.
 */
bool wv_debug_is_c(const struct wv_debug *debug, uint64_t address);

void wv_debug_deinit(struct wv_debug *debug);

/*
 * Finds the offset in bytes of the member at @path ("sock.__sk_common.skc_state") from the
 * beginning of the path's first struct. Returns false if DWARF does not have the member, or if a
 * name of the path is ambiguous (wv_member.ambiguous).
 */
bool wv_debug_offset(const struct wv_debug *debug, const char *path, uint64_t *ret);

#endif /* WV_DEBUG_H */
