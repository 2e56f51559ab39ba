/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds where advice runs that is for the time after a joinpoint, or around it. Does not depend on
 * the generated C.
 * - After an instruction: at the next instruction.
 * - After a call: at its return address.
 * - After a function: at its exits.
 * - After a block: at its end.
 * - Around a function: at its first instruction. Around a call: at the call.
 */
#ifndef WV_AFTER_H
#define WV_AFTER_H

#include "x86/decode.h"
#include "database/db.h"
#include "plan/function-range.h"
#include "database/query.h"

/*
 * A location at which after-advice or around-advice runs. If .refusal is set, the advice cannot run
 * there.
 */
struct wv_after {
	const struct wv_match *match; /* the location, in the form of a joinpoint */
	const struct wv_match *from;  /* the joinpoint that the advice is for */
	enum weft_when when;
	enum weft_refusal refusal;
	uint16_t returns; /* .returns of struct weft_joinpoint */
	/*
	 * true: .when is LEAVING, and the instruction is a jump to another function, which has not
	 * run yet
	 */
	bool tail;
};

struct wv_afters {
	struct wv_db *db;
	struct wv_function_ranges *ranges; /* belongs to the caller */
	struct wv_decoder *decoder;
	/* joinpoints that were made here; results point to them */
	WV_VEC(struct wv_matches) made;
	/*
	 * A cache of the last function whose blocks were queried.
	 * .start: link address of that function; 0: there is none.
	 * .blocks, .ends: where its blocks' first and last instructions are, as indexes in .made.
	 */
	uint64_t start;
	size_t blocks, ends;
};

int wv_afters_init(struct wv_afters *afters, struct wv_db *db, struct wv_function_ranges *ranges,
		   struct wv_error *error);
void wv_afters_deinit(struct wv_afters *afters);

/*
 * Called once for each location of after-advice, also for refused ones (@after->refusal). A nonzero
 * result ends the search and is returned by wv_afters_find().
 */
typedef int (*wv_after_take)(void *context, const struct wv_after *after, struct wv_error *error);

/* Finds the locations of advice after @match, which @by picked. */
int wv_afters_find(struct wv_afters *afters, const struct wv_pointcut *by,
		   const struct wv_match *match, wv_after_take take, void *context,
		   struct wv_error *error);

/* Returns where around-advice of @match, which @by picked, runs, or why it cannot run. */
struct wv_after wv_around_place(const struct wv_pointcut *by, const struct wv_match *match);

/*
 * Sets *@ret to whether the function that contains @match has an exit: a return or a tail call. A
 * function without exits runs for ever, or ends the task.
 */
int wv_afters_ends(struct wv_afters *afters, const struct wv_match *match, bool *ret,
		   struct wv_error *error);

/*
 * Returns whether the exit @match is a tail call: a jump to another function, which returns to the
 * caller of this one.
 */
bool wv_afters_is_tail(struct wv_afters *afters, const struct wv_match *match);

#endif /* WV_AFTER_H */
