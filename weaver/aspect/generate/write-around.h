/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Generates the C of around-advice, which is made of the macros in runtime/around.h. */
#ifndef WV_WRITE_AROUND_H
#define WV_WRITE_AROUND_H

#include "aspect/language/variables.h"
#include "aspect/resolve/values.h"
#include "base/str.h"

/* Whether the aspect has around-advice, which runtime/around.h is for. */
bool wv_around_wanted(const struct wv_aspect *aspect);

/* The number of joinpoints with around-advice, of those that are not refused. */
size_t wv_around_count(const struct wv_selection *selection);

/* Writes the declaration of the table that the entries name. */
void wv_around_write_forward(const struct wv_selection *selection, struct wv_str *out);

/* A declaration in C. */
struct wv_declaration {
	char text[80];
};

/* The declaration of @variable in the body of @advice: around-advice may assign its arguments. */
struct wv_declaration wv_around_declaration(const struct wv_aspect_advice *advice,
					    const struct wv_variable *variable);

/* The C of the value of @variable in the body of advice @index: of around-advice, also $target. */
struct wv_declaration wv_around_value(const struct wv_values *values,
				      const struct wv_aspect_advice *advice, size_t index,
				      const struct wv_variable *variable);

/*
 * Write the C of around-advice @index, in three pieces around the author's body:
 * begin: defines weft_proceed() and $return, and begins the function that has the body.
 * end: ends that function, and undefines both.
 * entries: writes the function that calls the body, and an entry for each joinpoint. An entry first
 * checks that @stack bytes of stack are left; 0: it does not check.
 */
void wv_around_write_begin(const struct wv_values *values, const struct wv_aspect_advice *advice,
			   size_t index, struct wv_str *out);
void wv_around_write_end(struct wv_str *out);
void wv_around_write_entries(const struct wv_selection *selection, const struct wv_values *values,
			     const struct wv_aspect_advice *advice, size_t index, uint64_t stack,
			     struct wv_str *out);

/* Writes the table of entries. */
void wv_around_write_table(const struct wv_selection *selection, const struct wv_aspect *aspect,
			   const struct wv_values *values, struct wv_str *out);

#endif /* WV_WRITE_AROUND_H */
