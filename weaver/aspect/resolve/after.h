/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds where advice after a joinpoint runs: for an instruction, after it; for a call, at its
 * return address; for a function, at its exits; for a block, at its end. Depends on the database
 * only, not on the generated C.
 */
#ifndef WV_AFTER_H
#define WV_AFTER_H

#include "x86/decode.h"
#include "database/db.h"
#include "plan/function-range.h"
#include "database/query.h"

/* One location at which after-advice runs. If .refusal is set, it cannot run there. */
struct wv_after {
	const struct wv_match *match; /* the location, as a joinpoint of its own */
	const struct wv_match *from;  /* the joinpoint that the advice comes after */
	enum weft_when when;
	enum weft_refusal refusal;
	/* .when is LEAVING, by a jump to another function; that function has not run yet */
	bool tail;
};

struct wv_afters {
	struct wv_db *db;
	struct wv_function_ranges *ranges; /* owned by the caller */
	struct wv_decoder *decoder;
	/* joinpoints that were made here; .match of results points into them */
	WV_VEC(struct wv_matches) made;
	/*
	 * A cache for blocks. .start is the link address of the function whose blocks were queried
	 * last; 0: none. .blocks and .ends are the elements of .made with the first and the last
	 * instructions of its blocks.
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

/*
 * Whether the exit @match is a tail call: a jump to another function, which will return to the
 * caller.
 */
bool wv_afters_is_tail(struct wv_afters *afters, const struct wv_match *match);

#endif /* WV_AFTER_H */
