/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The variables whose location differs from shadow to shadow: $(name), $obj, $value,
 * $field(member), $sym(name), $ret. Each shadow of an advice that names one has C over the
 * registers of the hit. values-find.h finds it, write-values.h writes it.
 */
#ifndef WV_VALUES_H
#define WV_VALUES_H

#include "aspect/resolve/select.h"
#include "base/str.h"
#include "image/dwarf/types.h"

/* C of type unsigned long: the value, or the address if the type is an aggregate. */
struct wv_value_case {
	size_t joinpoint; /* index into the selection's list */
	char *text;
	/*
	 * number of the text; equal texts of one value share it; from 0 in the order of the cases
	 */
	uint32_t text_number;
};

struct wv_value {
	const struct wv_reference *named;
	struct wv_type type;
	/* sorted by joinpoint: one for each of the advice's joinpoints */
	WV_VEC(struct wv_value_case) cases;
	uint32_t nr_texts;
	/* index of the advice's first value whose cases have the same numbers; may be this one */
	size_t table;
};

struct wv_advice_values {
	WV_VEC(struct wv_value) list; /* in the order of wv_aspect_advice.named */
	uint32_t registers;	      /* WR_BIT()s of the registers that their C uses */
	size_t dropped;		      /* number of shadows dropped from an optional advice */
};

/* All zero: none, as for an aspect that names no such variable. */
struct wv_values {
	WV_VEC(struct wv_advice_values) advices;
};

/* Whether any advice names one: only then the kernel's vmlinux is needed. */
bool wv_values_wanted(const struct wv_aspect *aspect);

/*
 * Whether a variable of that advice was found at no shadow: then its C has no types and cannot be
 * written.
 */
bool wv_values_lack(const struct wv_values *values, size_t index);

void wv_values_deinit(struct wv_values *values);

#endif /* WV_VALUES_H */
