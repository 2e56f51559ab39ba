/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Advice that runs only once at each joinpoint (once-advice).
 *
 * The advice itself sets the joinpoint's state byte to WEFT_ONCE_HIT by compare-and-exchange, and
 * goes on only if that succeeds. So it runs on one CPU only and never again. Setting the byte is
 * all that a hit does to have its splice removed, since a hit may be in any context. A work item
 * looks at these bytes every 100 ms, and takes the splices that are no longer needed out of the
 * text, as an unweave would; so the overhead of a splice ends soon after its first hit. The work
 * item stops when no once-advice can run any more.
 */
#ifndef WK_ONCE_H
#define WK_ONCE_H

#include <linux/list.h>
#include <linux/types.h>

struct weft_aspect;
struct wk_timing;

struct wk_once {
	/* on the list that the work item checks, while the aspect is woven and has once-advice */
	struct list_head list;
	/*
	 * enum weft_once of each joinpoint, for the last weave; kept for readers after it has
	 * ended. NULL: the aspect has no once-advice, or was never woven.
	 */
	u8 *states;
	const struct weft_aspect *module;
	const struct wk_timing *timing; /* the timing of the same aspect */
	/* called when there are hits: removes the splices that are WEFT_ONCE_HIT */
	void (*hit)(struct wk_once *once);
};

/* Initialises @once for a new module. @module and @timing must stay valid while it is loaded. */
void wk_once_create(struct wk_once *once, const struct weft_aspect *module,
		    const struct wk_timing *timing);

/* Frees the states. */
void wk_once_forget(struct wk_once *once);

/*
 * Called before a weave. Allocates one state byte for each of the module's joinpoints, all
 * WEFT_ONCE_NOT, and stores the array in *@ret; stores NULL if the module has no once-advice. The
 * caller owns the array until wk_once_begin(), and frees it with kvfree() if the weave fails; the
 * states of the previous weave are kept then. Under wk_mutex.
 * -ENOMEM: memory is short
 */
int wk_once_prepare(const struct wk_once *once, u8 **ret);

/*
 * Called when the aspect is woven. Takes ownership of @states (NULL: none) and frees those of the
 * previous weave. From now on the work item calls @hit, under wk_mutex. The caller holds wk_mutex.
 */
void wk_once_begin(struct wk_once *once, u8 *states, void (*hit)(struct wk_once *once));

/*
 * Makes the work item run again. To be called after states were set to WEFT_ONCE_WAITING. Under
 * wk_mutex.
 */
void wk_once_more(void);

/* Called when the aspect is unwoven. Afterwards @hit is not called any more. Under wk_mutex. */
void wk_once_end(struct wk_once *once);

/* Cancels the work item and waits for it. No aspect may be woven. */
void wk_once_deinit(void);

#endif /* WK_ONCE_H */
