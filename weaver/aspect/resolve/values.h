/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The variables whose location differs from shadow to shadow: $(name), $obj, $value,
 * $field(member), $sym(name), $ret. If an advice names such a variable, there is C for each of its
 * shadows that computes the value from the registers of the hit. values-find.h finds the C,
 * write-values.h writes it into the module.
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
	/*
	 * number by which the generated C chooses .text (values-locations.h): from 0, the same for
	 * equal texts of the variable
	 */
	uint32_t text_number;
};

struct wv_value {
	const struct wv_reference *named;
	struct wv_type type;
	/*
	 * one for each joinpoint of the advice that is not refused, without those whose .when is
	 * CALLING; sorted by .joinpoint
	 */
	WV_VEC(struct wv_value_case) cases;
	uint32_t nr_texts;
	/*
	 * index in the advice's list of the first variable that has the same text numbers at all
	 * joinpoints, and whose table this variable uses; may be its own
	 */
	size_t table;
};

struct wv_advice_values {
	/* one for each of wv_aspect_advice.code.named, in the same order */
	WV_VEC(struct wv_value) list;
	uint32_t registers;	      /* WR_BIT()s of the registers that the variables' C reads */
	/* number of joinpoints that were left out, because a variable is unavailable there */
	size_t dropped;
	/* for around-advice: the most argument registers that one of its functions uses */
	unsigned int arguments;
	bool returns; /* for around-advice: one of its functions returns something */
	/*
	 * For around-advice: a type that holds the results of all its functions, without a struct's
	 * tag. .size 0: they return nothing. .kind other than INTEGER and POINTER: no type holds
	 * all results.
	 */
	struct wv_type result;
	bool through; /* for around-advice: one of its calls goes through a pointer */
};

/*
 * The values of all advice, with one element for each advice. All zero: no variables were looked
 * up.
 */
struct wv_values {
	WV_VEC(struct wv_advice_values) advices;
};

/*
 * Returns whether @aspect needs the images of its kernel or programs: an advice names one of the
 * variables that the top of this file lists, or is around-advice.
 */
bool wv_values_wanted(const struct wv_aspect *aspect);

/*
 * Returns whether @aspect needs the image of the kernel: wv_values_wanted(), but only for advice
 * whose joinpoints are in the kernel or its modules.
 */
bool wv_values_wanted_of_kernel(const struct wv_aspect *aspect);

/*
 * Returns whether advice @index names a variable that was found at no shadow. Then its type is not
 * known, and the body cannot be compiled.
 */
bool wv_values_lack(const struct wv_values *values, size_t index);

void wv_values_deinit(struct wv_values *values);

#endif /* WV_VALUES_H */
