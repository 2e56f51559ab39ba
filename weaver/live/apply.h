/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Weaves and unweaves, in the sense of the commands. To weave is to load the module, make a plan
 * from the live text, let weft.ko check the plan, and let it apply the plan. To unweave is to
 * restore the text, check that it is the original text, and unload the module. Each of these steps
 * is done as a whole or not at all. So a process that is killed between two steps leaves the aspect
 * either woven or merely loaded.
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
 * What a weave has done. After a weave without an error, matched == woven.splices.n + uprobes +
 * refused.splices.n.
 */
struct wv_summary {
	size_t matched;		/* number of the aspect's shadows, without those that wait */
	size_t uprobes;		/* number of shadows in programs that were not refused */
	size_t waiting;		/* number of shadows in modules that are not loaded yet */
	struct wv_plan woven;	/* the splices that were applied */
	struct wv_plan refused; /* the refused splices, each with its reason */
	/* number of dropped records, which were of an earlier weave, and which nobody had read */
	uint64_t dropped;
};

void wv_summary_deinit(struct wv_summary *summary);

struct wv_weave_options {
	bool bound; /* weft.ko unweaves the aspect when the device's file is closed */
	bool traps; /* make every splice a trap */
	/*
	 * If a kernel module is not loaded now, or is unloaded later, weave the joinpoints in it
	 * when it is loaded: WEFT_WEAVE_PENDING. Also done if the aspect's header has
	 * WEFT_ASPECT_PENDING.
	 */
	bool pending;
	bool urgent; /* wv_wait_optimized() will be called next: WEFT_WEAVE_URGENT */
	bool balance; /* check that advice gives back what it takes: WEFT_WEAVE_BALANCE */
	struct weft_filter filter; /* selects the hits that run advice; .asks 0: all hits */
	/*
	 * In nanoseconds: the time from the weave until advice begins to run (.after), and how long
	 * it then runs (.lasts); .lasts 0: until the aspect is unwoven.
	 */
	uint64_t after, lasts;
	/* Limits of advice, WEFT_BUDGET_* and WEFT_SHARE_*. 0: the aspect's own limits. */
	uint64_t budget;
	uint32_t share;
	/*
	 * NULL, or called when the module is loaded and nothing is woven yet. If it returns an
	 * error, the weave ends with that error. If this is not NULL, records that nobody has read
	 * are not dropped: the weave is refused if a loaded module of the aspect has some.
	 */
	int (*on_loaded)(void *context, struct wv_error *error);
	void *context;
};

/*
 * Weaves the module file @path, from which @module was read. After an error nothing was woven, and
 * @summary has what was known until then. If the module was loaded before the error, it is unloaded
 * again.
 */
int wv_weave(const struct wv_device *device, const char *path,
	     const struct wv_aspect_module *module, const struct wv_weave_options *options,
	     struct wv_summary *summary, struct wv_error *error);

/*
 * Waits until no splice of the aspect @name is optimizing. Sets *@ret to the number of splices that
 * still are. This is not 0 if grace periods take too long: the wait is then given up.
 */
int wv_wait_optimized(const struct wv_device *device, const char *name, uint32_t *ret,
		      struct wv_error *error);

struct wv_unweave_result {
	uint32_t restored;    /* number of splices that were removed from the text */
	/*
	 * .bytes: number of bytes of text that the aspect had changed. .same: how many of these are
	 * the original bytes again; if fewer than .bytes, the text was not restored.
	 */
	size_t bytes, same;
	size_t shared;	      /* bytes that other aspects still change; not counted in .bytes */
	bool was_woven;	      /* this call has unwoven the aspect */
	bool had_ended;	      /* the kernel had unwoven the aspect before: its time was over */
	bool had_faulted;     /* the kernel had unwoven the aspect before: its advice had faulted */
	/* executions of the aspect's around-advice that had not ended after the wait */
	uint32_t inside;
	/* the aspect was still retiring after the wait; the next unweave removes the module */
	bool is_retiring;
	bool module_removed;
	bool end_faulted;     /* the aspect's end block has faulted, at .fault */
	struct weft_fault fault;
};

/*
 * Unweaves the aspect @name and removes its module. Returns -WV_E_STATE in these cases:
 * - The kernel does not know @name, or the module was removed already (WEFT_STATE_GONE).
 * - Another process is weaving or unweaving the aspect.
 * - The aspect's start block is running; or its end block is still running after the wait, or has
 *   died. ret->was_woven then says whether this call has unwoven the aspect.
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
