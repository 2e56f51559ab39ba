/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The joinpoints of an aspect in programs: an uprobe at each, whose handler calls the advice. The
 * uprobes are registered before the aspect's splices are written, and call no advice until
 * wk_uprobes_open(); so kernel and programs are woven together, or not at all. May sleep.
 */
#ifndef WK_UPROBES_H
#define WK_UPROBES_H

#include <linux/types.h>

struct weft_aspect;
struct wk_budget;
struct wk_fault;
struct wk_timing;
struct wk_uprobes;

/* What uprobes use of their aspect. It stays valid while there are uprobes. */
struct wk_uprobes_of {
	const struct weft_aspect *module;
	const struct wk_timing *timing;
	struct wk_fault *fault;	  /* see struct wk_attachment */
	struct wk_budget *budget; /* see struct wk_attachment */
};

/*
 * Has the aspect joinpoints in programs, without those that were refused when it was compiled?
 */
bool wk_uprobes_wanted(const struct weft_aspect *module);

/*
 * Opens the programs of the aspect, and registers its uprobes. Errors: those of wk_program_open()
 * and of uprobe_register(); -ENOMEM; -EINVAL: a joinpoint is not in the text of its program, or its
 * advice cannot run in a program. Then no uprobe is left. wk_uprobes_undo() unregisters uprobes
 * that were never opened, and frees them. Both may wait for any time: without wk_mutex.
 */
int wk_uprobes_make(const struct wk_uprobes_of *of, struct wk_uprobes **ret);
void wk_uprobes_undo(struct wk_uprobes *uprobes);

/* Lets the advice run. Does nothing for NULL. Under wk_mutex, as all of the following. */
void wk_uprobes_open(struct wk_uprobes *uprobes);

/*
 * Lets no advice run any more, and begins to unregister the uprobes, which goes on in the
 * background. Returns how many advice calls there were. Does nothing for NULL.
 */
u32 wk_uprobes_close(struct wk_uprobes *uprobes);

/* After wk_uprobes_close(): are the uprobes unregistered? True for NULL. */
bool wk_uprobes_are_out(const struct wk_uprobes *uprobes);

/* Frees uprobes that are out, and sets *@uprobes to NULL. */
void wk_uprobes_free(struct wk_uprobes **uprobes);

/* The number of advice calls; 0 for NULL, and after wk_uprobes_close(). */
u32 wk_uprobes_count(const struct wk_uprobes *uprobes);

/* Has @joinpoint, an index into the aspect's table, an uprobe? False after wk_uprobes_close(). */
bool wk_uprobes_has(const struct wk_uprobes *uprobes, u32 joinpoint);

int wk_uprobes_init(void);
void wk_uprobes_deinit(void); /* waits until the uprobes are out */

#endif /* WK_UPROBES_H */
