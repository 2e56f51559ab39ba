/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The aspects that weft.ko knows: one object for each aspect module that registered. It outlives
 * the module while it has records that were not read. Everything here is under wk_mutex.
 */
#ifndef WK_ASPECT_H
#define WK_ASPECT_H

#include <linux/list.h>
#include <linux/types.h>

#include "runtime/advice.h"
#include "aspect-state.h"
#include "metrics/metrics.h"
#include "once.h"
#include "record/record.h"
#include "splice/retire.h"
#include "tasks.h"
#include "timing.h"

struct file;

struct wk_aspect {
	struct list_head list;
	struct weft_aspect *module; /* NULL once the module is gone */
	char name[WEFT_NAME_MAX];
	u64 content;
	/* the module's; a copy after it is gone, or NULL if that failed */
	const struct weft_joinpoint *joinpoints;
	u32 nr_joinpoints;
	const char *strings;
	u32 strings_size;
	enum weft_state state; /* aspect-state.h; wk_aspect_become() alone changes it */
	/* struct wk_attachment: its advice calls in the text now */
	struct list_head attachments;
	/* the array that holds them; NULL while it is not woven */
	struct wk_attachment *attachment_array;
	u32 nr_attachments;
	struct wk_retirement retirement; /* embedded, so that unweaving needs no memory */
	struct file *bound;	    /* unwoven when this file is closed; NULL: not bound */
	struct pid *owner;	    /* who wove it; NULL while not woven */
	struct wk_records records;
	struct wk_metrics metrics;
	struct wk_tasks tasks;
	struct wk_timing timing;
	struct weft_stats stats;    /* of a module that is gone */
	struct wk_once once;
};

static inline void wk_aspect_become(struct wk_aspect *aspect, enum weft_state state)
{
	aspect->state = wk_aspect_state_enter(aspect->state, state, aspect->name);
}

/* NULL where there is none. */
struct wk_aspect *wk_aspect_find(const char *name);

/* The @index'th aspect, or NULL. */
struct wk_aspect *wk_aspect_at(unsigned int index);
unsigned int wk_aspect_count(void);

void wk_aspect_status(struct wk_aspect *aspect, struct weft_status *status);

/* Describes joinpoint @text->index in words. -ERANGE if there is none. */
int wk_aspect_joinpoint(const struct wk_aspect *aspect, struct weft_joinpoint_text *text);

/* The names of metrics' keys: a wk_name_key, @aspect is a struct wk_aspect. */
void wk_aspect_name_key(const void *aspect, u64 kind, u64 key, char *text, size_t size);

/*
 * Frees an aspect whose module is gone, once its records were all read and its metrics and its once
 * states were reset.
 */
void wk_aspect_reap(struct wk_aspect *aspect);

/* Frees everything that is left when weft.ko goes: only aspects whose modules are gone. */
void wk_aspects_deinit(void);

#endif /* WK_ASPECT_H */
