/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Generates C for variables that are found for each shadow (aspect/resolve/values.h). */
#ifndef WV_WRITE_VALUES_H
#define WV_WRITE_VALUES_H

#include "aspect/resolve/values.h"
#include "base/str.h"

/*
 * Writes the C that must come before all advice: macros for `$(name)` and the like, and
 * declarations of structs that types name.
 */
void wv_values_write_head(const struct wv_values *values, struct wv_str *out);

/*
 * Returns whether the C of a variable differs between joinpoints. Then the C needs the table of
 * joinpoints.
 */
bool wv_values_need_joinpoints(const struct wv_values *values);

/* Returns the type of $return in advice @index, in C. */
const char *wv_values_result_type(const struct wv_values *values, size_t index);

/* Returns the registers (WR_BIT()s) that the C of the variables in advice @index reads. */
uint32_t wv_values_registers(const struct wv_values *values, size_t index);

/*
 * Writes, for the variables of advice @index, the functions that choose the C by the shadow. To be
 * called before the advice's body is written.
 */
void wv_values_write_functions(const struct wv_values *values, const struct wv_selection *selection,
			       size_t index, struct wv_str *out);

/*
 * Write the declarations of the variables at the beginning of the body, and the #undefs after the
 * body.
 */
void wv_values_write_declarations(const struct wv_values *values, size_t index, struct wv_str *out);
void wv_values_write_end(const struct wv_values *values, size_t index, struct wv_str *out);

#endif /* WV_WRITE_VALUES_H */
