/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The variables whose location differs from shadow to shadow: $(name), $obj, $value,
 * $field(member), $sym(name), $ret. For each shadow of an advice that names such a variable, there
 * is C that computes it from the registers of the hit. values-find.h finds that C, write-values.h
 * writes it into the module.
 */
#ifndef WV_VALUES_H
#define WV_VALUES_H

#include "aspect/resolve/select.h"
#include "base/str.h"
#include "image/dwarf/types.h"

/*
 * The C of one variable at one shadow, of type unsigned long: its value or, if its type is an
 * aggregate, its address.
 */
struct wv_value_case {
	size_t joinpoint; /* index into the selection's list */
	char *text;
	/* equal texts of one variable have the same number; from 0 in the order of the cases */
	uint32_t text_number;
};

struct wv_value {
	const struct wv_reference *named;
	struct wv_type type;
	/* sorted by .joinpoint; one for each of the advice's joinpoints */
	WV_VEC(struct wv_value_case) cases;
	uint32_t nr_texts;
	/*
	 * index in the advice's list of the first variable with equal text numbers at all
	 * joinpoints; maybe this one
	 */
	size_t table;
};

struct wv_advice_values {
	/* one for each of wv_aspect_advice.code.named, in that order */
	WV_VEC(struct wv_value) list;
	uint32_t registers;	      /* WR_BIT()s of the registers that their C uses */
	/* number of shadows left out because a variable is unavailable there */
	size_t dropped;
};

/*
 * The values of all advice. All zero: no variables were looked up. Otherwise one element for each
 * advice.
 */
struct wv_values {
	WV_VEC(struct wv_advice_values) advices;
};

/*
 * Whether any advice of @aspect names one of the variables listed at the top of this file. If none
 * does, the kernel's vmlinux is not needed: it is read only to find such variables.
 */
bool wv_values_wanted(const struct wv_aspect *aspect);

/*
 * Whether advice @index names a variable that was found at no shadow: nothing is known of its type
 * then, so the body cannot be compiled.
 */
bool wv_values_lack(const struct wv_values *values, size_t index);

void wv_values_deinit(struct wv_values *values);

#endif /* WV_VALUES_H */
