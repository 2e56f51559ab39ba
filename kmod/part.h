/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A part of the text that an aspect has joinpoints in; what is done with parts: parts.h. */
#ifndef WK_PART_H
#define WK_PART_H

#include <linux/types.h>

#include "runtime/abi.h"

struct weft_aspect;
struct wk_retirement;

struct wk_part {
	u32 module, section; /* offsets of the aspect's strings */
	/*
	 * live address of its first byte: as of the last wk_parts_find(), and as long as wk_mutex
	 * is held or splices of the aspect are in it. 0: there is none, for the reason @absent
	 */
	unsigned long base, size;
	int absent;	/* -ENOENT, -ESTALE or -ENXIO: wk_module_section() */
	bool left;	/* its module went while it was woven */
	/* since its module was loaded it was woven, or that has failed, or it is another build */
	bool tried;
	u32 nr_refused; /* of its shadows, when it was woven as its module was loaded */
	int failed;	/* likewise: why that failed; 0: it did not */
	/* for its splices, when its module goes: allocated beforehand; NULL: none are in it */
	struct wk_retirement *departure;
};

/* The live address of @joinpoint's shadow; 0: its part is not there. */
static inline unsigned long wk_part_address(const struct wk_part *parts,
					    const struct weft_joinpoint *joinpoint)
{
	const struct wk_part *part = &parts[joinpoint->part];

	return part->base ? part->base + joinpoint->text_offset : 0;
}

/* Are the parts in @module's tables, and the joinpoints in the parts? Strings end in a NUL. */
bool wk_parts_are_valid(const struct weft_aspect *module);

/* The parts of @module, none of another module's found yet. kvfree(); NULL: memory is short. */
struct wk_part *wk_parts_create(const struct weft_aspect *module);

#endif /* WK_PART_H */
