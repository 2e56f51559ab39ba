/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A part of the text that an aspect has joinpoints in: the kernel, or a section of a module. The
 * functions on parts are in parts.h.
 */
#ifndef WK_PART_H
#define WK_PART_H

#include <linux/types.h>

#include "runtime/abi.h"

struct weft_aspect;
struct wk_retirement;

struct wk_part {
	/* names of the module and the section: offsets in the aspect's strings */
	u32 module, section;
	/*
	 * ->base: the live address of the part's first byte, as wk_parts_find() found it last.
	 * Valid as long as wk_mutex is held or splices of the aspect are in the part. 0: not found;
	 * ->absent has the reason
	 */
	unsigned long base, size;
	int absent;	/* -ENOENT, -ESTALE or -ENXIO, as of wk_module_section() */
	bool left;	/* its module was unloaded while the part was woven */
	/*
	 * since the part's module was loaded, weaving the part was tried: it was woven, or it
	 * failed, or the module is of another build
	 */
	bool tried;
	/*
	 * number of the part's shadows that were refused when its module was last loaded while the
	 * aspect was woven
	 */
	u32 nr_refused;
	/* the error with which weaving the part failed when its module was loaded; 0: none */
	int failed;
	/*
	 * The retirement that takes over the part's splices when the part's module is unloaded.
	 * Allocated before the part is woven, since the unloading must not fail. NULL: no splice is
	 * in the part
	 */
	struct wk_retirement *departure;
};

/* The live address of @joinpoint's shadow; 0: its part was not found. */
static inline unsigned long wk_part_address(const struct wk_part *parts,
					    const struct weft_joinpoint *joinpoint)
{
	const struct wk_part *part = &parts[joinpoint->part];

	return part->base ? part->base + joinpoint->text_offset : 0;
}

/*
 * Checks that the names of all parts are inside @module's strings, and all joinpoints inside their
 * parts. The caller has checked that the strings end in a NUL.
 */
bool wk_parts_are_valid(const struct weft_aspect *module);

/*
 * Returns the array of the parts of @module. Only part 0, the kernel, has its address; for the
 * others see wk_parts_find(). To be freed by kvfree(). NULL: memory is short.
 */
struct wk_part *wk_parts_create(const struct weft_aspect *module);

#endif /* WK_PART_H */
