/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Settling: a splice over a window of several instructions begins as a trap, since somebody may have been preempted in the middle
 * of them. In the background, after the grace periods that see everybody out, its jump is written. All under wk_mutex.
 */
#ifndef WK_SETTLE_H
#define WK_SETTLE_H

struct wk_splice;

int wk_settle_init(void);
void wk_settle_deinit(void); /* waits for what is under way */

/* @splice is in the text as a trap. */
void wk_settle_add(struct wk_splice *splice);

/* It goes: it need not settle any more. Fine where it never had to. */
void wk_settle_forget(struct wk_splice *splice);

#endif /* WK_SETTLE_H */
