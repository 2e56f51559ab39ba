/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the plan of an aspect: a splice for each of its shadows, made from the bytes that are in
 * the text now. The code here only needs addresses and a function that reads text, so it does not
 * depend on files.
 */
#ifndef WV_LIVE_PLAN_H
#define WV_LIVE_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/abi.h"
#include "base/error.h"
#include "base/vec.h"

/*
 * Reads @size bytes of original text at the live address @address. Returns 0, or a negative code.
 */
struct wv_text_reader {
	int (*read)(void *context, uint64_t address, void *buffer, size_t size,
		    struct wv_error *error);
	void *context;
};

/*
 * The addresses of a part of the text: the kernel, or a section of a module (struct
 * weft_text_part). No text outside of them is read.
 */
struct wv_plan_part {
	uint64_t base, end; /* live addresses; base 0: the part is not loaded */
	/* the part's module is not loaded yet, and its joinpoints are left out of the plan */
	bool waits;
	/* the part is a program, which has no live address, and whose joinpoints need no plan */
	bool program;
};

/* The input of a plan. */
struct wv_plan_source {
	const struct weft_joinpoint *joinpoints;
	size_t n;
	const struct wv_plan_part *parts; /* indexed by struct weft_joinpoint.part */
	const struct wv_text_reader *reader;
	bool traps; /* use traps only */
};

/*
 * The splices of an aspect, sorted as struct weft_splice requires. The weaver itself sets .refusal
 * of a splice whose text cannot be read or decoded, or whose shadow was refused already when the
 * aspect was compiled (struct weft_joinpoint.refusal).
 */
struct wv_plan {
	WV_VEC(struct weft_splice) splices;
	/*
	 * number of splices that wv_plan_narrow() replaced, by the refusal of their displaced range
	 */
	size_t narrowed[WEFT_REFUSAL_COUNT];
};

int wv_plan_make(const struct wv_plan_source *source, struct wv_plan *ret, struct wv_error *error);
void wv_plan_deinit(struct wv_plan *plan);

/*
 * For each displaced range whose splice was refused, puts a splice of the shadow's own instruction
 * in its place. Sets *@ret to whether a range was replaced: weft.ko then has to check the plan
 * again.
 */
int wv_plan_narrow(const struct wv_plan_source *source, struct wv_plan *plan, bool *ret,
		   struct wv_error *error);

/*
 * Refuses each splice whose partner is refused or not in the plan. Two splices are partners if one
 * notes calls and the other is advice that needs these notes (struct weft_joinpoint.returns).
 */
int wv_plan_refuse_partners(const struct wv_plan_source *source, struct wv_plan *plan,
			    struct wv_error *error);

/* Moves the refused splices from the plan to the end of *@refused, for the report. */
int wv_plan_drop_refused(struct wv_plan *plan, struct wv_plan *refused, struct wv_error *error);

#endif /* WV_LIVE_PLAN_H */
