/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Weaving and unweaving as a user means it: module in, plan made from live text, checked, applied;
 * and back, with the text read again afterwards. Each step is one request of the device, so that a
 * process killed between any two leaves the aspect either woven or merely loaded.
 */
#ifndef WV_APPLY_H
#define WV_APPLY_H

#include <stdbool.h>
#include <stddef.h>

#include "module/module-file.h"
#include "base/error.h"
#include "live/requests.h"
#include "splice/live-plan.h"

/* What became of the matched shadows; matched == splices.n + refused.n, always. */
struct wv_summary {
	size_t matched;
	struct wv_plan woven;	/* what was applied */
	struct wv_plan refused; /* each with its reason */
};

void wv_summary_deinit(struct wv_summary *summary);

struct wv_weave_options {
	bool bound; /* it goes with the device's file descriptor */
	bool traps; /* every splice by a trap */
	bool urgent; /* wv_wait_optimized() comes next */
	struct weft_filter filter; /* whose hits it is for; .asks 0: everybody's */
	uint64_t after, lasts; /* nanoseconds; lasts 0: until it is unwoven */
};

/*
 * Weaves the module file @path, which @module was read from. On an error nothing is woven; the
 * summary is filled as far as things went.
 */
int wv_weave(const struct wv_device *device, const char *path,
	     const struct wv_aspect_module *module, const struct wv_weave_options *options,
	     struct wv_summary *summary, struct wv_error *error);

/*
 * Waits until no splice of the aspect is a trap that is to become a jump; *@ret is how many still
 * are, where that takes longer than grace periods do on a healthy machine.
 */
int wv_wait_optimized(const struct wv_device *device, const char *name, uint32_t *ret,
		      struct wv_error *error);

struct wv_unweave_result {
	uint32_t restored;    /* splices taken out of the text */
	/* text bytes that were spliced, and how many are the original ones again */
	size_t bytes, same;
	size_t shared;	      /* bytes still spliced for other aspects; not in @bytes */
	bool was_woven;
	bool had_ended;	      /* the kernel has unwoven it already */
	/* false: still retiring after the wait; the next unweave removes it */
	bool module_removed;
};

/* -WV_E_STATE where the kernel does not know @name. */
int wv_unweave(const struct wv_device *device, const char *name, struct wv_unweave_result *ret,
	       struct wv_error *error);

/* -WV_E_FAILURE where text is not what it was before. */
int wv_unweave_check(const char *name, const struct wv_unweave_result *result,
		     struct wv_error *error);

#endif /* WV_APPLY_H */
