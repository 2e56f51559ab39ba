/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Weaving and unweaving, as a user understands them. To weave is to load the module, make a plan
 * from the live text, let weft.ko check the plan, and apply it. To unweave is to restore the text,
 * check that it is the original text, and unload the module. Each step is one request of the
 * device. So a process that is killed between two steps leaves the aspect either woven or merely
 * loaded.
 */
#ifndef WV_APPLY_H
#define WV_APPLY_H

#include <stdbool.h>
#include <stddef.h>

#include "module/module-file.h"
#include "base/error.h"
#include "live/requests.h"
#include "splice/live-plan.h"

/*
 * The result for the matched shadows. Invariant: matched == woven.splices.n + uprobes +
 * refused.splices.n.
 */
struct wv_summary {
	size_t matched;		/* number of shadows, without those that wait for a module */
	size_t uprobes;		/* number of shadows in programs that were not refused */
	size_t waiting;		/* number of shadows in modules that are not loaded yet */
	struct wv_plan woven;	/* the splices that were applied */
	struct wv_plan refused; /* the refused splices, each with its reason */
	uint64_t dropped;	/* records of an earlier weave that nobody had read, now dropped */
};

void wv_summary_deinit(struct wv_summary *summary);

struct wv_weave_options {
	bool bound; /* unweave when the device's file descriptor is closed */
	bool traps; /* make every splice a trap */
	/*
	 * If a module is not loaded now, or is unloaded later, weave its joinpoints when it is
	 * loaded: WEFT_WEAVE_PENDING. Also done if the aspect's header has WEFT_ASPECT_PENDING.
	 */
	bool pending;
	bool urgent; /* wv_wait_optimized() will be called next */
	bool balance; /* check that advice gives back what it takes: WEFT_WEAVE_BALANCE */
	struct weft_filter filter; /* selects the hits that run advice; .asks 0: all hits */
	/*
	 * Time in nanoseconds from the weave until advice begins to run (.after), and how long it
	 * then runs (.lasts); .lasts 0: until the aspect is unwoven.
	 */
	uint64_t after, lasts;
	/* Limits of advice, WEFT_BUDGET_* and WEFT_SHARE_*. 0: the aspect's own limits. */
	uint64_t budget;
	uint32_t share;
	/*
	 * NULL, or called when the module is loaded and nothing is woven yet. If it returns an
	 * error, the weave ends with that error. Only a recording has it: that may not drop records
	 * of an earlier weave which are still in a loaded module, and the weave is refused then.
	 */
	int (*on_loaded)(void *context, struct wv_error *error);
	void *context;
};

/*
 * Weaves the module file @path, from which @module was read. On an error it weaves nothing, and the
 * summary is filled as far as the weave got. Then it also unloads the module, unless the error is
 * that the aspect is woven already, or still retiring.
 */
int wv_weave(const struct wv_device *device, const char *path,
	     const struct wv_aspect_module *module, const struct wv_weave_options *options,
	     struct wv_summary *summary, struct wv_error *error);

/*
 * Waits until the aspect has no more traps that will become jumps. Sets *@ret to the number of such
 * traps that are left. It is not 0 if grace periods take too long, so that the wait was given up.
 */
int wv_wait_optimized(const struct wv_device *device, const char *name, uint32_t *ret,
		      struct wv_error *error);

struct wv_unweave_result {
	uint32_t restored;    /* splices removed from the text */
	/*
	 * .bytes: number of bytes of text that were spliced. .same: how many of these are the
	 * original bytes again; if fewer than .bytes, the text was not restored.
	 */
	size_t bytes, same;
	size_t shared;	      /* bytes still spliced for other aspects; not counted in .bytes */
	bool was_woven;
	bool had_ended;	      /* the kernel had already unwoven it: its time was over */
	bool had_faulted;     /* the kernel had already unwoven it: its advice had faulted */
	/* executions of its around-advice that had not ended after the wait */
	uint32_t inside;
	/* still retiring after the wait; the next unweave removes the module */
	bool is_retiring;
	bool module_removed;
	bool end_faulted;     /* the aspect's end block has faulted, at .fault */
	struct weft_fault fault;
};

/*
 * Unweaves @name and removes its module. Returns -WV_E_STATE in these cases:
 * - The kernel does not know @name, or the module was removed already (WEFT_STATE_GONE).
 * - Another process is weaving or unweaving it.
 * - The aspect's start or end block is still running after the wait. ->was_woven then says whether
 *   the aspect was unwoven nevertheless.
 * - The aspect was unwoven, but something still uses its module.
 */
int wv_unweave(const struct wv_device *device, const char *name, struct wv_unweave_result *ret,
	       struct wv_error *error);

/* Like wv_unweave(), but the module stays loaded and keeps its unread records. */
int wv_unweave_only(const struct wv_device *device, const char *name,
		    struct wv_unweave_result *ret, struct wv_error *error);

/* Checks the result of wv_unweave(): -WV_E_FAILURE if any text byte differs from the original. */
int wv_unweave_check(const char *name, const struct wv_unweave_result *result,
		     struct wv_error *error);

#endif /* WV_APPLY_H */
