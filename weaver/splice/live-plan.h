/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The plan: the splice for every shadow of an aspect, made from live bytes. Takes addresses and a
 * function that reads text; independent of files and of the kind of target.
 */
#ifndef WV_LIVE_PLAN_H
#define WV_LIVE_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/abi.h"
#include "base/error.h"
#include "base/vec.h"

/* Reads @size bytes of original text at live @address. */
struct wv_text_reader {
	int (*read)(void *context, uint64_t address, void *buffer, size_t size,
		    struct wv_error *error);
	void *context;
	uint64_t end; /* live end of the text: nothing is read from there on */
};

/* The input of a plan. */
struct wv_plan_source {
	const struct weft_joinpoint *joinpoints;
	size_t n;
	uint64_t text; /* live address that their text_offset counts from */
	const struct wv_text_reader *reader;
	bool traps; /* use traps only */
};

/*
 * Sorted as struct weft_splice requires. .refusal is set if the weaver refused the element already
 * (unreadable or undecodable).
 */
struct wv_plan {
	WV_VEC(struct weft_splice) splices;
	/* number of elements that were narrowed to their own instruction, by refusal */
	size_t narrowed[WEFT_REFUSAL_COUNT];
};

int wv_plan_make(const struct wv_plan_source *source, struct wv_plan *ret, struct wv_error *error);
void wv_plan_deinit(struct wv_plan *plan);

/*
 * Replaces each refused displaced range with a splice of the shadow's own instruction, which has to
 * be checked again. *@ret: whether there was any.
 */
int wv_plan_narrow(const struct wv_plan_source *source, struct wv_plan *plan, bool *ret,
		   struct wv_error *error);

/* Moves the refused splices from the plan to *refused, for the report. */
int wv_plan_drop_refused(struct wv_plan *plan, struct wv_plan *refused, struct wv_error *error);

#endif /* WV_LIVE_PLAN_H */
