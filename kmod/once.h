/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Advice that runs once at each joinpoint (once-advice). The advice itself sets the joinpoint's
 * state byte to WEFT_ONCE_HIT by compare-and-exchange, so it runs on one CPU only and never again.
 * A work item checks these bytes every 100 ms and has the splices that are no longer needed
 * removed, as by an unweave. The work item stops when no once-advice can run any more. So the
 * advice itself does nothing that depends on its context, and the overhead of a splice ends soon
 * after the first hit.
 */
#ifndef WK_ONCE_H
#define WK_ONCE_H

#include <linux/list.h>
#include <linux/types.h>

struct weft_aspect;
struct wk_timing;

struct wk_once {
	/* on the list that the work item checks, while woven and with states */
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

/* Initialises @once for a new module; the pointers stay valid while it is loaded. */
void wk_once_create(struct wk_once *once, const struct weft_aspect *module,
		    const struct wk_timing *timing);

/* Frees the states. */
void wk_once_forget(struct wk_once *once);

/*
 * Called before a weave. Allocates one state byte for each of the module's joinpoints, all
 * WEFT_ONCE_NOT, and stores the array in *@ret; NULL if the module has no once-advice. The caller
 * owns it until wk_once_begin(), so a weave that fails keeps the states of the previous one. Free
 * with kvfree(). -ENOMEM. Under wk_mutex.
 */
int wk_once_prepare(const struct wk_once *once, u8 **ret);

/*
 * Called when the aspect is woven. Takes ownership of @states (NULL: none) and frees those of the
 * previous weave. From now on the work item calls @hit, under wk_mutex. The caller holds wk_mutex.
 */
void wk_once_begin(struct wk_once *once, u8 *states, void (*hit)(struct wk_once *once));

/*
 * To be called after states were set to WEFT_ONCE_WAITING: the work item runs again. Under
 * wk_mutex.
 */
void wk_once_more(void);

/* Called when the aspect is unwoven. Afterwards @hit is not called any more. Under wk_mutex. */
void wk_once_end(struct wk_once *once);

/* Cancels the work item and waits for it. No aspect may be woven. */
void wk_once_deinit(void);

#endif /* WK_ONCE_H */
