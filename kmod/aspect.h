/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The aspects that are registered: one object for each aspect module. The object outlives the
 * module if it has unread records, metrics, tags or states of once-advice. Under wk_mutex. Readers
 * of records hold only wk_readers_lock: meanwhile, too, neither the list of aspects changes nor the
 * members that wk_aspect_find_to_read() names.
 */
#ifndef WK_ASPECT_H
#define WK_ASPECT_H

#include <linux/list.h>
#include <linux/types.h>

#include "runtime/advice.h"
#include "aspect-state.h"
#include "budget.h"
#include "fault.h"
#include "metrics/metrics.h"
#include "once.h"
#include "part.h"
#include "published.h"
#include "record/record.h"
#include "splice/retire.h"
#include "tags.h"
#include "tasks.h"
#include "timing.h"
#include "tracepoints.h"

struct file;
struct wk_uprobes;

/* The start or end block that is running, in state STARTING or ENDING. */
struct wk_running_block {
	struct pid *thread; /* the thread that runs the block; NULL: no block is running */
	u64 since;	    /* ktime_get_ns() when the block began */
};

struct wk_aspect {
	struct list_head list;
	struct weft_aspect *module; /* the aspect's module; NULL once the module is gone */
	char name[WEFT_NAME_MAX];
	u64 content; /* weft_aspect_header.content: differs between builds of the aspect */
	/*
	 * the module's tables; once the module is gone, copies of them, or NULL if memory was short
	 */
	const struct weft_joinpoint *joinpoints;
	u32 nr_joinpoints;
	/* numbers of shadows of accesses, by enum weft_precision (weft_status.accesses) */
	u32 accesses[WEFT_PRECISION_OPTIMIZED_OUT];
	const char *strings;
	u32 strings_size;
	enum weft_state state; /* aspect-state.h; changed only by wk_aspect_become() */
	/*
	 * List of struct wk_attachment, by ->in_aspect: the aspect's advice calls in the text.
	 * Once-advice that has run is not in the list.
	 */
	struct list_head attachments;
	/* list of struct wk_attachments, by ->list: the memory of the attachments */
	struct list_head arrays;
	u32 nr_attachments;
	struct wk_part *parts; /* array of ->nr_parts elements; part.h */
	u32 nr_parts;
	u32 weave; /* WEFT_WEAVE_* flags of the last weave */
	struct wk_retirement retirement; /* embedded, so that unweaving allocates nothing */
	/* the aspect is unwoven when this file is closed; NULL: not bound */
	struct file *bound;
	struct pid *owner; /* the process that wove the aspect; NULL while it is not woven */
	struct wk_running_block block;
	struct wk_records records;
	struct wk_published published;
	struct wk_metrics metrics;
	struct wk_tasks tasks;
	struct wk_tags tags;
	struct wk_timing timing;
	struct weft_stats stats;    /* totals over all CPUs once the module is gone; else 0 */
	struct wk_once once;
	struct wk_fault fault;
	struct wk_budget budget;
	struct wk_uprobes *uprobes; /* uprobes at joinpoints in programs; NULL: there are none */
	struct wk_tracepoints tracepoints; /* tracepoints that are enabled while it is woven */
};

/*
 * Changes the aspect's state and wakes wk_aspect_wait(). This function and all others of this
 * header are called under wk_mutex, except where a comment names wk_readers_lock.
 */
void wk_aspect_become(struct wk_aspect *aspect, enum weft_state state);

/* Returns the aspect called @name; NULL: there is none. @name need not end in a NUL. */
struct wk_aspect *wk_aspect_find(const char *name);

/*
 * As wk_aspect_find(), but under wk_readers_lock. Of the aspect the caller may look only at
 * ->published, ->nr_joinpoints and ->records; if the records are closed, it must not follow any
 * pointer in them.
 */
struct wk_aspect *wk_aspect_find_to_read(const char *name);

/* Returns the aspect at position @index of the list of aspects, or NULL. */
struct wk_aspect *wk_aspect_at(unsigned int index);
unsigned int wk_aspect_count(void);

void wk_aspect_status(struct wk_aspect *aspect, struct weft_status *status);

/*
 * Fills @text with the names and source line of joinpoint @text->index. -ERANGE if there is none.
 * Under wk_mutex; or under wk_readers_lock, if the aspect's records have a view.
 */
int wk_aspect_joinpoint(const struct wk_aspect *aspect, struct weft_joinpoint_text *text);

/*
 * Writes to @text the name that @key stands for: a wk_name_key (metrics/metrics.h). @aspect is a
 * struct wk_aspect.
 */
void wk_aspect_name_key(const void *aspect, u64 kind, u64 key, char *text, size_t size);

/*
 * Frees @aspect if its module is gone and nothing of the aspect can still be read: it has no
 * metrics, no tags, no states of once-advice, and no unread records. Else does nothing.
 */
void wk_aspect_reap(struct wk_aspect *aspect);

/*
 * Sets the aspect's metrics, and what its tags have counted, to zero. If its module is gone, drops
 * them, and the states of its once-advice; it may then be freed.
 */
int wk_aspect_reset(struct wk_aspect *aspect);

/*
 * Waits until @aspect is LOADED or WOVEN; releases wk_mutex meanwhile. The caller ensures that
 * @aspect is not freed.
 */
void wk_aspect_wait(const struct wk_aspect *aspect);

/*
 * Called when the module of @aspect, which is LOADED, is unloaded. Keeps what readers may ask for.
 */
void wk_aspect_remove(struct wk_aspect *aspect);

/* Frees all aspects when weft.ko is unloaded; their modules are gone by then. */
void wk_aspects_deinit(void);

#endif /* WK_ASPECT_H */
