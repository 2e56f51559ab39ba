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

/*
 * Looks up the addresses of all parts of @aspect, whose own module is loaded. If a part is woven,
 * or weaving it was tried, the part keeps the address that it has until its module is unloaded; so
 * it keeps that also while the module's init or exit function runs.
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
 * Called when @aspect is not woven any more: frees what wk_parts_prepare() has allocated, and
 * forgets which parts were woven, refused or tried.
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
void wk_parts_status(const struct wk_aspect *aspect, struct weft_part_status *ret, u32 n);

#endif /* WK_PARTS_H */
