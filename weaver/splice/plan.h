/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The plan: for every shadow of an aspect the splice that is to be put there, made from live bytes.
 * Takes addresses and a way to read text; knows neither files nor what kind of target the text
 * belongs to.
 */
#ifndef WEFT_SPLICE_PLAN_H
#define WEFT_SPLICE_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include "../runtime/abi.h"
#include "base/error.h"
#include "base/vec.h"

/* Reads @size bytes of original text at live @address. */
struct wv_text_reader {
	int (*read)(void *context, uint64_t address, void *buffer, size_t size,
		    struct wv_error *error);
	void *context;
	uint64_t end; /* the text's end: nothing is read from there on */
};

/*
 * Ascending by address, then joinpoint. .refusal says what was refused here already (nothing
 * readable or decodable).
 */
struct wv_plan {
	WV_VEC(struct weft_splice) splices;
};

/* @text: live address that the joinpoints' text_offset counts from. */
int wv_plan_make(const struct weft_joinpoint *joinpoints, size_t n, uint64_t text,
		 const struct wv_text_reader *reader, struct wv_plan *ret, struct wv_error *error);
void wv_plan_deinit(struct wv_plan *plan);

/* Takes the refused splices out of the plan; *refused gets them, for the report. */
int wv_plan_drop_refused(struct wv_plan *plan, struct wv_plan *refused, struct wv_error *error);

#endif /* WEFT_SPLICE_PLAN_H */
