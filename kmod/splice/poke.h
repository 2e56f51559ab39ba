/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bytes of splices: writing them over the text and writing the text back, in batches; a CPU
 * that comes by while the bytes change meets an int3, which leads into the trampoline.
 *
 * Process context; under wk_mutex, between wk_write_begin() and wk_write_end(). Some calls leave
 * work in the queue: it is done when wk_poke_finish() returns. In ascending order of addresses a
 * queue is filled best.
 */
#ifndef WK_POKE_H
#define WK_POKE_H

#include <linux/list.h>
#include <linux/types.h>

struct wk_splice;
struct wk_attachment;

/*
 * Puts the jump to next_patch into a springboard's slot; to be finished before the springboard is
 * armed.
 */
void wk_poke_occupy(const struct wk_splice *splice);

/*
 * Restores the slot of a splice that has one and is not in the text; false where somebody wrote
 * there. To be finished.
 */
bool wk_poke_vacate(const struct wk_splice *splice);

/*
 * Puts those splices of the list (wk_splice.plan) that are LISTED into the text, where their bytes
 * are the original ones: they are TRAP, OPTIMIZING or JUMP then. Makes the others, which are in the
 * text, lead to next_patch as well. Each has a target. Finishes by itself.
 */
void wk_poke_arm(struct list_head *splices);

/*
 * Makes JUMPs of the splices of the list (wk_splice.plan), which are OPTIMIZING, and own their int3
 * until this returns. The text is as we left it. Finishes by itself.
 */
void wk_poke_optimize(struct list_head *splices);

/*
 * Takes the splices of the list (wk_splice.plan) out of the text: they are LISTED then. One that is
 * not as we wrote it, or on which a kprobe sits, is left alone, BLOCKED, and moved to @blocked:
 * whoever wrote there has a copy of our jump and may go on to use it, so its trampoline has to
 * stay. Returns how many are out. Finishes by itself.
 */
unsigned int wk_poke_disarm(struct list_head *splices, struct list_head *blocked);

/* Takes @use out of its trampoline, by a jump over its block. To be finished. */
void wk_poke_skip(const struct wk_attachment *attachment);

/* The same for a while, and undone: use->closed says which. To be finished. */
void wk_poke_close(struct wk_attachment *attachment);
void wk_poke_open(struct wk_attachment *attachment);

/* All that was begun is in the text, and seen by all CPUs. */
void wk_poke_finish(void);

/* Is the text what @splice found there, to the last byte? */
bool wk_poke_is_original(const struct wk_splice *splice);

/*
 * Is the text what arming @splice with its current trampoline has made of it, and no kprobe on it?
 */
bool wk_poke_is_ours(const struct wk_splice *splice);

#endif /* WK_POKE_H */
