/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The entries of .debug_info, one after the other, with the few attributes that the weaver uses. libdwarf allocates for every
 * entry that it shows, and a kernel has many millions; this reader allocates for abbreviations only. The input is not trusted.
 */
#ifndef WV_DIES_H
#define WV_DIES_H

#include "image/image.h"

struct wv_dies;

#define WV_DIE_HAS_LOW_PC 1u
#define WV_DIE_HAS_ENTRY_PC 2u
#define WV_DIE_HAS_RANGES 4u
#define WV_DIE_HAS_MEMBER_OFFSET 8u
#define WV_DIE_HAS_BIT_OFFSET 16u
#define WV_DIE_DECLARATION 32u
#define WV_DIE_CHILDREN 64u
#define WV_DIE_HAS_CONSTANT 128u
#define WV_DIE_PROTOTYPED 256u

/* An expression, or a list of expressions by address; neither where the entry says nothing. */
struct wv_die_location {
	const uint8_t *bytes;
	uint64_t size, list; /* @list: offset in the section of location lists */
	bool has_list;
};

/* What is not there is 0. Offsets of other entries count from the section's start. */
struct wv_die {
	uint64_t offset, next; /* of this entry; of the one that follows it in the file, which is its child if it has any */
	uint32_t tag;	       /* DW_TAG_*; 0 ends a list of children */
	uint32_t flags;
	const char *name;
	const char *producer, *directory; /* of a unit: the compiler and its options; where it was run */
	uint64_t type, origin, sibling; /* origin: abstract origin or specification */
	uint64_t low_pc, high_pc, entry_pc, ranges; /* high_pc: as it is written, mostly a size */
	uint64_t member_offset, bit_offset, byte_size, line;
	uint64_t constant, encoding, bit_size; /* encoding: DW_ATE_* */
	struct wv_die_location location, frame_base;
};

/* -WV_E_FORMAT when what is there is damaged; an image without .debug_info has no units. */
int wv_dies_create(struct wv_image *image, struct wv_dies **ret, struct wv_error *error);
void wv_dies_destroy(struct wv_dies *dies);

static inline void wv_cleanup_dies(struct wv_dies **dies)
{
	wv_dies_destroy(*dies);
}
#define _cleanup_dies_ __attribute__((cleanup(wv_cleanup_dies)))

/* Goes to the next unit. *@more_ret is false after the last one; else @ret is its first entry. */
int wv_dies_next_unit(struct wv_dies *dies, bool *more_ret, struct wv_die *ret,
		      struct wv_error *error);

/* Goes to the unit whose header is at @offset; the next is the one that follows it. */
int wv_dies_unit_at(struct wv_dies *dies, uint64_t offset, struct wv_die *ret,
		    struct wv_error *error);

/* Where the current unit's header begins: what offsets inside expressions count from. */
uint64_t wv_dies_unit_start(const struct wv_dies *dies);

/* The end of the current unit: no entry begins there. */
uint64_t wv_dies_unit_end(const struct wv_dies *dies);

/* The entry at @offset of the current unit, e.g. at another's .next. */
int wv_dies_read(struct wv_dies *dies, uint64_t offset, struct wv_die *ret,
		 struct wv_error *error);

/* Where the code of @die begins: its entry, else its first byte. False where it has no code (left). */
bool wv_dies_entry(const struct wv_dies *dies, const struct wv_die *die, uint64_t *ret);

/*
 * Where each piece of the code of @die begins, as far as there is room for @most: what a compiler puts aside (foo.cold) lies
 * elsewhere. Returns how many. Empty pieces are none.
 */
size_t wv_dies_pieces(const struct wv_dies *dies, const struct wv_die *die, uint64_t *ret, size_t most);

/* Whether the code of @die, an entry of the current unit, holds @address. */
bool wv_dies_contains(const struct wv_dies *dies, const struct wv_die *die, uint64_t address);

/*
 * The expression of @location, of an entry of the current unit, that holds at @address. False where
 * there is none: the compiler kept the thing nowhere there.
 */
bool wv_dies_expression(const struct wv_dies *dies, const struct wv_die_location *location,
			uint64_t address, const uint8_t **ret, size_t *size_ret);

#endif /* WV_DIES_H */
