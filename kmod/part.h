/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A part of the text that an aspect has joinpoints in; what is done with parts: parts.h. */
#ifndef WK_PART_H
#define WK_PART_H

#include <linux/types.h>

#include "runtime/abi.h"

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
	bool tried;	/* since its module was loaded it was woven, or that has failed */
	u32 nr_refused; /* shadows, when it was woven as its module was loaded */
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

#endif /* WK_PART_H */
