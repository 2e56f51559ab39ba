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

struct module;
struct wk_aspect;
struct wk_part;
struct wk_plan;

/*
 * Finds all parts of @aspect, whose module is loaded. Where it is woven, or that was tried, they
 * stay what they were until the module goes, also while its init or exit function runs.
 */
void wk_parts_find(const struct wk_aspect *aspect);

/* The name of the module of @part; "": the kernel proper. */
const char *wk_part_module(const struct wk_aspect *aspect, const struct wk_part *part);

/* Is @part in @module? */
bool wk_part_is_in(const struct wk_aspect *aspect, const struct wk_part *part,
		   const struct module *module);

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
