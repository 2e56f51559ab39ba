/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The variables whose place is another one at every shadow: $(name), $obj, $value, $field(member),
 * $sym(name). For each shadow of an advice that names one, the kernel's DWARF and the shadow's own
 * instruction say where it is, and that becomes C over the registers of the hit.
 */
#ifndef WV_VALUES_H
#define WV_VALUES_H

#include "aspect/resolve/select.h"
#include "base/str.h"
#include "image/dwarf/types.h"

/* C of type unsigned long: the value, or the address where the type is an aggregate's. */
struct wv_value_case {
	size_t joinpoint; /* index into the selection's list */
	char *text;
	uint32_t text_number; /* equal texts of one value have one, from 0 in the order of the cases */
};

struct wv_value {
	const struct wv_reference *named;
	struct wv_type type;
	WV_VEC(struct wv_value_case) cases; /* by joinpoint: one for each of the advice's */
	uint32_t nr_texts;
	size_t table; /* the advice's first value, maybe this one, whose cases have the same numbers */
};

struct wv_advice_values {
	WV_VEC(struct wv_value) list; /* in the order of wv_aspect_advice.named */
	uint32_t registers;	      /* WR_BIT()s that their C names */
	size_t dropped;		      /* shadows that an optional advice does without */
};

/* All zero: none, as for an aspect that names none. */
struct wv_values {
	WV_VEC(struct wv_advice_values) advices;
};

/* Whether any advice names one: only then the kernel's vmlinux is needed. */
bool wv_values_wanted(const struct wv_aspect *aspect);

/*
 * Finds them all for the finished @selection, in the image at @vmlinux, whose build-id must be
 * @db's. Drops the joinpoints of optional advices that lack one from @selection. What is missing
 * elsewhere is added to @errors, each with its place in the body and its shadow; the last of them is
 * @error.
 */
int wv_values_find(struct wv_values *values, const struct wv_aspect *aspect,
		   struct wv_selection *selection, struct wv_db *db, const char *vmlinux,
		   struct wv_errors *errors, struct wv_error *error);

/* Whether a variable of that advice has no shadow at which it was found: then its C has no types, and cannot be written. */
bool wv_values_lack(const struct wv_values *values, size_t index);

void wv_values_deinit(struct wv_values *values);

/* ---- as C (write-values.c) ------------------------------------------------------------------- */

/* What stands before all advices: the macros that `$(name)` is written with, structs by name. */
void wv_values_write_head(const struct wv_values *values, struct wv_str *out);

/* Whether their C asks which joinpoint was hit. */
bool wv_values_need_joinpoints(const struct wv_values *values);

/* WR_BIT()s that the C of advice @index names. */
uint32_t wv_values_registers(const struct wv_values *values, size_t index);

/* Functions that tell the shadows of advice @index apart, before its body. */
void wv_values_write_functions(const struct wv_values *values, const struct wv_selection *selection,
			       size_t index, struct wv_str *out);

/* The declarations at the beginning of its body, and what ends them behind it. */
void wv_values_write_declarations(const struct wv_values *values, size_t index, struct wv_str *out);
void wv_values_write_end(const struct wv_values *values, size_t index, struct wv_str *out);

#endif /* WV_VALUES_H */
