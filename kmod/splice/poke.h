/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the bytes of splices to the text and restores the original bytes, in batches. A CPU that
 * reaches the bytes while they change meets an int3, which leads to the trampoline.
 *
 * Process context; under wk_mutex, between wk_write_begin() and wk_write_end(). Functions marked
 * "to be finished" may only queue a write: it is done when wk_poke_finish() returns. Queueing in
 * ascending order of addresses makes the largest batches.
 */
#ifndef WK_POKE_H
#define WK_POKE_H

#include <linux/list.h>
#include <linux/types.h>

struct wk_splice;
struct wk_attachment;

/*
 * Writes the jump to ->next_trampoline into a springboard's slot; to be finished before the
 * springboard is armed.
 */
void wk_poke_occupy(const struct wk_splice *splice);

/*
 * Restores the slot of a splice that is not in the text. Returns false, and writes nothing, if its
 * bytes are not as weft wrote them or a kprobe sits on them. To be finished.
 */
bool wk_poke_vacate(const struct wk_splice *splice);

/*
 * Arms a list of splices, linked by wk_splice.plan, whose ->target is set. Splices that are LISTED
 * are written to the text, which holds their original bytes; they become TRAP, OPTIMIZING or JUMP.
 * Other splices are in the text already, and are made to lead to ->next_trampoline. Returns when
 * the writes are finished.
 */
void wk_poke_arm(struct list_head *splices);

/*
 * Turns the splices of a list, linked by wk_splice.plan, from OPTIMIZING to JUMP. Their flag
 * owns_int3 stays set until this returns. The text must be as weft left it. Returns when the writes
 * are finished.
 */
void wk_poke_optimize(struct list_head *splices);

/*
 * Takes the splices of a list, linked by wk_splice.plan, out of the text: they become LISTED.
 * Returns the number of splices that are out, when the writes are finished.
 *
 * A splice is left alone if its bytes are not as weft wrote them, or if a kprobe sits on them. It
 * becomes BLOCKED and moves to @blocked. The other writer has a copy of weft's jump and may still
 * use it, so the trampoline that the jump leads to must stay.
 */
unsigned int wk_poke_disarm(struct list_head *splices, struct list_head *blocked);

/* Removes @attachment from its trampoline, by a jump over its block. To be finished. */
void wk_poke_skip(const struct wk_attachment *attachment);

/* As wk_poke_skip(), but reversible; sets or clears ->closed. To be finished. */
void wk_poke_close(struct wk_attachment *attachment);
void wk_poke_open(struct wk_attachment *attachment);

/* Finishes all queued writes; afterwards all CPUs see them. */
void wk_poke_finish(void);

/* Are all bytes of @splice in the text the original ones? */
bool wk_poke_is_original(const struct wk_splice *splice);

/*
 * Are the bytes in the text those that arming @splice with its current trampoline wrote, with no
 * kprobe or breakpoint of kgdb on them?
 */
bool wk_poke_is_ours(const struct wk_splice *splice);

#endif /* WK_POKE_H */
