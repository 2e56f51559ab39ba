/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bounces whose slot is in a host: a window near by, long enough for a jump into its own patch and a slot behind that. The host is a splice
 * like others, also where it has no advice. Before the slot is there it has to be settled, before the bounce jumps there the slot has
 * to be; and it stays until nobody can be on the slot's jump any more. (GILK's local bounces: the displaced block of
 * "Dynamic Instrumentation for the Linux Kernel", Pearce et al.)
 *
 *	time ->
 *	host	trap ...... | jump into its patch, the slot's jump behind it ............................ | original bytes
 *	bounce	trap ...... ......... | short jump to the slot ............ | original bytes
 *		      grace period			  unweaving		      grace period
 *
 * Under wk_mutex, process context.
 */
#ifndef WK_DONOR_H
#define WK_DONOR_H

#include <linux/types.h>

struct wk_splice;
struct wk_window;

/*
 * May the bounce at @bounce have its slot at @slot in a host of its function? True fills @ret with the host's instructions.
 * @vouched: as wk_window_is_closed() has it.
 */
bool wk_bounce_find_host(unsigned long bounce, unsigned long slot, u32 vouched, struct wk_window *ret);

/* Neither is in the text yet. Both become windows that settle. */
void wk_bounce_tie(struct wk_splice *bounce, struct wk_splice *host);

/*
 * Nobody can be on the slot's jump any more. Returns the host where it has nothing left to do and is to be taken out of the text,
 * or NULL.
 */
struct wk_splice *wk_bounce_untie(struct wk_splice *bounce);

#endif /* WK_DONOR_H */
