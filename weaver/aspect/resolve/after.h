/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where advice after a joinpoint runs: after the instruction; for a call, at its return address;
 * for a function, at its exits; for a block, at its end. Depends on the database only, not on the
 * generated C.
 */
#ifndef WV_AFTER_H
#define WV_AFTER_H

#include "x86/decode.h"
#include "database/db.h"
#include "plan/function-range.h"
#include "database/query.h"

/* One location at which such advice runs, or would run if .refusal did not prevent it. */
struct wv_after {
	const struct wv_match *match; /* the location as a joinpoint of its own */
	const struct wv_match *from;  /* the joinpoint that it comes after */
	enum weft_when when;
	enum weft_refusal refusal;
	bool tail; /* LEAVING by a jump to another function */
};

struct wv_afters {
	struct wv_db *db;
	struct wv_function_ranges *ranges; /* owned by the caller */
	struct wv_decoder *decoder;
	/* storage for each .match that is not the caller's */
	WV_VEC(struct wv_matches) made;
	/*
	 * The function whose blocks were queried last: its first and last instructions, in .made.
	 */
	uint64_t start;
	size_t blocks, ends;
};

int wv_afters_init(struct wv_afters *afters, struct wv_db *db, struct wv_function_ranges *ranges,
		   struct wv_error *error);
void wv_afters_deinit(struct wv_afters *afters);

/* Called for every location; a nonzero result ends the search and is returned. */
typedef int (*wv_after_take)(void *context, const struct wv_after *after, struct wv_error *error);

/* @by picked @match, whose shadow must be in vmlinux. */
int wv_afters_find(struct wv_afters *afters, const struct wv_pointcut *by,
		   const struct wv_match *match, wv_after_take take, void *context,
		   struct wv_error *error);

/* Whether the exit @match is a jump to another function, which returns in its place. */
bool wv_afters_is_tail(struct wv_afters *afters, const struct wv_match *match);

#endif /* WV_AFTER_H */
