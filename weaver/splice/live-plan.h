/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The plan: for every shadow of an aspect the splice that is to be put there, made from live bytes.
 * Takes addresses and a way to read text; knows neither files nor what kind of target the text
 * belongs to.
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
	uint64_t end; /* the text's end: nothing is read from there on */
};

/* What plans are made of. */
struct wv_plan_source {
	const struct weft_joinpoint *joinpoints;
	size_t n;
	uint64_t text; /* live address that their text_offset counts from */
	const struct wv_text_reader *reader;
	bool traps; /* nothing else */
};

/*
 * In the order that struct weft_splice asks for. .refusal says what was refused here already
 * (nothing readable or decodable).
 */
struct wv_plan {
	WV_VEC(struct weft_splice) splices;
	/* elements that are no displaced range any more, by why */
	size_t narrowed[WEFT_REFUSAL_COUNT];
};

int wv_plan_make(const struct wv_plan_source *source, struct wv_plan *ret, struct wv_error *error);
void wv_plan_deinit(struct wv_plan *plan);

/*
 * Makes of each refused displaced range a splice of the shadow's own instruction, which then has to
 * be checked in its place. *@ret: whether there was any.
 */
int wv_plan_narrow(const struct wv_plan_source *source, struct wv_plan *plan, bool *ret,
		   struct wv_error *error);

/* Takes the refused splices out of the plan; *refused gets them, for the report. */
int wv_plan_drop_refused(struct wv_plan *plan, struct wv_plan *refused, struct wv_error *error);

#endif /* WV_LIVE_PLAN_H */
