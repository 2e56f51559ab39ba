/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Advice that runs once at each joinpoint. The advice itself notes in a byte that it has run, by
 * compare-and-exchange, so only one of two CPUs runs it and neither does again. A work item looks
 * at these bytes every tenth of a second, finds the splices that are no longer needed and has them
 * taken out as in an unweave. It ends when no such advice is left that can still run. So advice
 * needs nothing of its context, and the cost ends soon after the first hit.
 */
#ifndef WK_ONCE_H
#define WK_ONCE_H

#include <linux/list.h>
#include <linux/types.h>

struct weft_aspect;
struct wk_timing;

struct wk_once {
	struct list_head list; /* on the list that the work item checks: woven, with states */
	/*
	 * enum weft_once by joinpoint, of the last weave, also after it has ended, for readers.
	 * NULL where all advice runs each time.
	 */
	u8 *states;
	const struct weft_aspect *module;
	const struct wk_timing *timing; /* the module's */
	void (*hit)(struct wk_once *once); /* advice has run: takes out what is WEFT_ONCE_HIT */
};

/* Initialises @once for a new module; the pointers stay valid while it is loaded. */
void wk_once_create(struct wk_once *once, const struct weft_aspect *module,
		    const struct wk_timing *timing);

/* Frees the states. */
void wk_once_forget(struct wk_once *once);

/*
 * For a weave: allocates a state for each of the module's joinpoints, all WEFT_ONCE_NOT; NULL if
 * none of its advice runs once. The weave owns them until it succeeds, so that a failed weave keeps
 * those of the previous one. Free with kvfree(). -ENOMEM. Under wk_mutex.
 */
int wk_once_prepare(const struct wk_once *once, u8 **ret);

/*
 * The aspect is woven: takes ownership of @states (NULL: none) and frees those of the previous
 * weave. @hit is called from now on, under wk_mutex. Under wk_mutex.
 */
void wk_once_begin(struct wk_once *once, u8 *states, void (*hit)(struct wk_once *once));

/* It is unwoven: @hit is called no more. Under wk_mutex. */
void wk_once_end(struct wk_once *once);

/* Waits for the work item; no aspect is woven. */
void wk_once_deinit(void);

#endif /* WK_ONCE_H */
