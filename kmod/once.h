/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Advice that runs once at each joinpoint. The advice itself notes in a byte that it has run, by a
 * compare-and-exchange, so of two CPUs one runs it; neither does again. A look at these bytes every
 * tenth of a second, in a worker, finds the splices that are needed no longer and has them taken
 * out by the steps of an unweave; it ends when no advice is left that waits and whose time is not
 * over. So nothing is asked of the advice's context, which may be any, and what costs is over soon
 * after the first hit.
 */
#ifndef WK_ONCE_H
#define WK_ONCE_H

#include <linux/list.h>
#include <linux/types.h>

struct weft_aspect;
struct wk_timing;

struct wk_once {
	struct list_head list; /* among those that are looked at: woven, with states */
	/*
	 * enum weft_once by joinpoint, of the last weave, also after it has ended, for readers.
	 * NULL where all advice runs each time.
	 */
	u8 *states;
	const struct weft_aspect *module;
	const struct wk_timing *timing; /* the module's */
	void (*hit)(struct wk_once *once); /* advice has run: takes out what is WEFT_ONCE_HIT */
};

/* Of a module that has come; the pointers stay as long as it is there. */
void wk_once_create(struct wk_once *once, const struct weft_aspect *module,
		    const struct wk_timing *timing);

/* Frees the states. */
void wk_once_forget(struct wk_once *once);

/*
 * For a weave: a state for each of the module's joinpoints, all WEFT_ONCE_NOT; NULL where none of
 * its advice runs once. They are the weave's until it has succeeded, so that one that fails leaves
 * those of the weave before. kvfree(). -ENOMEM. Under wk_mutex.
 */
int wk_once_prepare(const struct wk_once *once, u8 **ret);

/*
 * The aspect is woven, with @states, which are its own now; those of the weave before go. NULL:
 * with none. @hit is called from now on, under wk_mutex. Under wk_mutex.
 */
void wk_once_begin(struct wk_once *once, u8 *states, void (*hit)(struct wk_once *once));

/* It is unwoven: @hit is called no more. Under wk_mutex. */
void wk_once_end(struct wk_once *once);

/* Waits for a look that is under way; nothing is woven. */
void wk_once_deinit(void);

#endif /* WK_ONCE_H */
