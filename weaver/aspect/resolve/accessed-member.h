/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the member that a joinpoint accesses, and where the member and its struct are when the
 * shadow's instruction runs. Uses the instruction's operand, the access's path, and the offsets in
 * DWARF.
 */
#ifndef WV_ACCESSED_MEMBER_H
#define WV_ACCESSED_MEMBER_H

#include "aspect/resolve/finder.h"

enum { WV_BYTE_BITS = 8 };

struct wv_accessed {
	/*
	 * The memory operand. For an access of kind address, which has none: the address that the
	 * instruction computes, in a form that can be evaluated where the advice runs.
	 */
	struct wv_access access;
	uint64_t structure;		/* offset of the DWARF entry of $obj's struct */
	struct wv_type structure_type;
	struct wv_type type;		/* type of the member */
	uint64_t bits, nr_bits;		/* offset and size of the member in $obj, in bits */
	/* offset in bytes of $obj in the outermost struct of the access's path */
	int64_t outer;
	int64_t at;			/* offset in bytes of the operand in $obj */
	/*
	 * .arrays: number of arrays in the path. .inside: one of them is between $obj and the
	 * member.
	 */
	unsigned int arrays;
	bool inside;
	bool is_array;			/* true: the member is an array */
	/* true: the advice sees the registers as they are after the instruction */
	bool after;
	/*
	 * true: .after is set, and the instruction has overwritten a register of the operand's
	 * address
	 */
	bool moved;
	const char *why;		/* why the member cannot be found; NULL: it is found */
};

/*
 * Fills @ret for the finder's joinpoint. Returns an error if the image or the database cannot be
 * read.
 */
int wv_find_accessed(struct wv_finder *finder, struct wv_accessed *ret);

/*
 * Like wv_find_accessed(), but does not set .access and .at, and needs no operand: it uses only the
 * names of the members that the access goes through.
 */
int wv_find_accessed_type(struct wv_finder *finder, struct wv_accessed *ret);

#endif /* WV_ACCESSED_MEMBER_H */
