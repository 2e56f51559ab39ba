/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of the text that an aspect has joinpoints in (struct weft_text_part): the kernel, and
 * sections of modules, which come and go. Where a section is, is found out here, and never taken
 * from a request. Process context, may sleep; under wk_mutex.
 */
#ifndef WK_PARTS_H
#define WK_PARTS_H

#include <linux/types.h>

#include "runtime/abi.h"

struct weft_aspect;
struct wk_aspect;
struct wk_plan;
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
	bool settled;	/* since its module was loaded it was woven, or that has failed */
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

/* Are the parts in @module's tables, and the joinpoints in the parts? Strings end in a NUL. */
bool wk_parts_are_valid(const struct weft_aspect *module);

/* For an aspect that registers. -ENOMEM. It is undone at the end of the aspect. */
int wk_parts_init(struct wk_aspect *aspect, const struct weft_aspect *module);
void wk_parts_deinit(struct wk_aspect *aspect);

/* Finds all parts of @aspect, whose module is loaded. */
void wk_parts_find(const struct wk_aspect *aspect);

/* The name of the module of @part; "": the kernel proper. */
const char *wk_part_module(const struct wk_aspect *aspect, const struct wk_part *part);

/* Before a weave by @plan: allocates what a departure of its modules takes. -ENOMEM. */
int wk_parts_prepare(const struct wk_aspect *aspect, const struct wk_plan *plan);

/* @aspect is not woven any more. */
void wk_parts_end(const struct wk_aspect *aspect);

/* Does a part whose module is not there wait for it? */
bool wk_parts_wait(const struct wk_aspect *aspect);

/* Of @aspect, whose module is loaded: the number of parts that wait; each part's status. */
u32 wk_parts_pending(const struct wk_aspect *aspect);
void wk_parts_status(const struct wk_aspect *aspect, struct weft_part_status *ret, u32 n);

#endif /* WK_PARTS_H */
