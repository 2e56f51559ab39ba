/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of the text that an aspect has joinpoints in (struct weft_text_part): the kernel, and
 * sections of modules, which come and go. The address of a section is looked up here, never taken
 * from a request. Process context, may sleep; under wk_mutex.
 */
#ifndef WK_PARTS_H
#define WK_PARTS_H

#include <linux/types.h>

#include "runtime/abi.h"

struct module;
struct wk_aspect;
struct wk_part;
struct wk_plan;

/* A program that wk_parts_try_programs() opens, to find out whether it can be woven. */
struct wk_tried_program {
	char *path; /* NULL: the part is no program */
	u8 build_id[WEFT_BUILD_ID_MAX];
	u32 build_id_size;
	int error; /* what wk_program_open() has returned */
};

/*
 * The programs of one aspect. ->content is that of the aspect, by which wk_parts_status() sees
 * whether it is still the same aspect. All zero: no program is tried.
 */
struct wk_tried_programs {
	struct wk_tried_program *all; /* array of ->nr elements, by part */
	u32 nr;
	u64 content;
};

/*
 * Looks up the addresses of all parts of @aspect, whose own module is loaded. Parts that are
 * programs have no address. A part that is woven, or whose weaving was tried, keeps its address
 * until its module is unloaded, also while the module's init or exit function runs.
 */
void wk_parts_find(const struct wk_aspect *aspect);

/* The name of the module of @part; "": the kernel proper. */
const char *wk_part_module(const struct wk_aspect *aspect, const struct wk_part *part);

/* Is @part in @module? */
bool wk_part_is_in(const struct wk_aspect *aspect, const struct wk_part *part,
		   const struct module *module);

/*
 * Called before a weave by @plan: allocates what is needed when a module with splices of the plan
 * is unloaded. -ENOMEM.
 */
int wk_parts_prepare(const struct wk_aspect *aspect, const struct wk_plan *plan);

/*
 * Called when @aspect was unwoven, or could not be woven. Frees what wk_parts_prepare() has
 * allocated, and forgets of each part whether it was woven or tried, how many of its shadows were
 * refused, and the error.
 */
void wk_parts_end(const struct wk_aspect *aspect);

/*
 * Returns whether @aspect is woven with WEFT_WEAVE_PENDING: if a module with parts of the aspect is
 * not loaded, these parts are woven as soon as it is.
 */
bool wk_parts_wait(const struct wk_aspect *aspect);

/*
 * For @aspect, whose own module is loaded. wk_parts_pending() returns the number of parts that wait
 * for their module. wk_parts_status() stores the status of the first @n parts.
 */
u32 wk_parts_pending(const struct wk_aspect *aspect);
void wk_parts_status(const struct wk_aspect *aspect, const struct wk_tried_programs *tried,
		     struct weft_part_status *ret, u32 n);

/*
 * wk_parts_programs() copies what is needed to try the programs of @aspect that are not woven.
 * -ENOMEM. wk_parts_try_programs() opens each, and notes the error; it may take any time, and is
 * called without wk_mutex. wk_parts_forget_programs() frees the copy, also after an error.
 */
int wk_parts_programs(const struct wk_aspect *aspect, struct wk_tried_programs *ret);
void wk_parts_try_programs(struct wk_tried_programs *programs);
void wk_parts_forget_programs(struct wk_tried_programs *programs);

#endif /* WK_PARTS_H */
