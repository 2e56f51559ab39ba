/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The variables whose place is another one at every shadow: $(name), $obj, $value,
 * $field(member), $sym(name), $ret. For each shadow of an advice that names one there is C over
 * the registers of the hit. values-find.h finds it, write-values.h writes it down.
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
	/* equal texts of one value have one, from 0 in the order of the cases */
	uint32_t text_number;
};

struct wv_value {
	const struct wv_reference *named;
	struct wv_type type;
	WV_VEC(struct wv_value_case) cases; /* by joinpoint: one for each of the advice's */
	uint32_t nr_texts;
	/* the advice's first value, maybe this one, whose cases have the same numbers */
	size_t table;
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
 * Whether a variable of that advice has no shadow at which it was found: then its C has no types,
 * and cannot be written.
 */
bool wv_values_lack(const struct wv_values *values, size_t index);

void wv_values_deinit(struct wv_values *values);

#endif /* WV_VALUES_H */
