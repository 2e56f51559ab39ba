/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Generates the C of around-advice, which is made of the macros in runtime/around.h. */
#ifndef WV_WRITE_AROUND_H
#define WV_WRITE_AROUND_H

#include "aspect/language/variables.h"
#include "aspect/resolve/values.h"
#include "base/str.h"

/* Returns whether the aspect has around-advice; then its C includes runtime/around.h. */
bool wv_around_wanted(const struct wv_aspect *aspect);

/* Returns the number of joinpoints with around-advice that are not refused. */
size_t wv_around_count(const struct wv_selection *selection);

/*
 * Writes a declaration of the table weft_arounds[], which the entries below use before
 * wv_around_write_table() defines it.
 */
void wv_around_write_forward(const struct wv_selection *selection, struct wv_str *out);

/* A declaration in C. */
struct wv_declaration {
	char text[80];
};

/*
 * Returns the declaration of @variable in the body of @advice. It is not const for an argument
 * ($arg1 ...) of around-advice: the advice may assign it, and weft_proceed() passes the new value.
 */
struct wv_declaration wv_around_declaration(const struct wv_aspect_advice *advice,
					    const struct wv_variable *variable);

/*
 * Returns the C of the value of @variable in the body of advice @index. In around-advice, $target
 * is found in another way than in other advice.
 */
struct wv_declaration wv_around_value(const struct wv_values *values,
				      const struct wv_aspect_advice *advice, size_t index,
				      const struct wv_variable *variable);

/*
 * Write the C of around-advice @index, in three pieces around the author's body:
 * begin: defines weft_proceed() and $return, and begins the function that has the body.
 * end: ends that function, and undefines both.
 * entries: writes the function that calls the body, and for each joinpoint of the advice an entry,
 * the function weft_around_N(), to which the joinpoint's trampoline jumps. An entry first checks
 * that @stack bytes of stack are left; 0: it does not check.
 */
void wv_around_write_begin(const struct wv_values *values, const struct wv_aspect_advice *advice,
			   size_t index, struct wv_str *out);
void wv_around_write_end(struct wv_str *out);
void wv_around_write_entries(const struct wv_selection *selection, const struct wv_aspect *aspect,
			     const struct wv_values *values, size_t index, uint64_t stack,
			     struct wv_str *out);

/*
 * Writes weft_arounds[], the table of the entries of all around-advice, by which weft.ko finds the
 * entry of a joinpoint. Writes nothing if there are none.
 */
void wv_around_write_table(const struct wv_selection *selection, const struct wv_aspect *aspect,
			   const struct wv_values *values, struct wv_str *out);

#endif /* WV_WRITE_AROUND_H */
