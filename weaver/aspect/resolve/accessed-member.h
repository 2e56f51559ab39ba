/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the member that a joinpoint accesses, and where the member and its struct are when the
 * shadow's instruction runs: from the instruction's operand, the access's path, and the offsets in
 * DWARF.
 */
#ifndef WV_ACCESSED_MEMBER_H
#define WV_ACCESSED_MEMBER_H

#include "aspect/resolve/finder.h"

enum { WV_BYTE_BITS = 8 };

struct wv_accessed {
	/*
	 * The memory operand. An access of kind address has none: then the address that the
	 * instruction makes, as it can be computed where the advice runs.
	 */
	struct wv_access access;
	uint64_t structure;		/* offset of the DWARF entry of $obj's struct */
	struct wv_type structure_type;
	struct wv_type type;		/* type of the member */
	uint64_t bits, nr_bits;		/* the member's offset and size in $obj, in bits */
	/* offset in bytes of $obj in the outermost struct of the access's path */
	int64_t outer;
	int64_t at;			/* offset in bytes of the operand in $obj */
	/* how many arrays the path goes through, and whether one is between $obj and the member */
	unsigned int arrays;
	bool inside;
	bool is_array;			/* the member is an array */
	/* the advice sees the registers as they are after the instruction */
	bool after;
	/* .after is set, and the instruction has overwritten a register of the operand's address */
	bool moved;
	const char *why;		/* the reason if nothing can be found; else NULL */
};

/* Fills @ret for the finder's joinpoint. Returns errors of reading the image or the database. */
int wv_find_accessed(struct wv_finder *finder, struct wv_accessed *ret);

/* Fills only what follows from the access's path: everything except .access and .at. */
int wv_find_accessed_type(struct wv_finder *finder, struct wv_accessed *ret);

#endif /* WV_ACCESSED_MEMBER_H */
