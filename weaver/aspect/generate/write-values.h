/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Generates the C of values. */
#ifndef WV_WRITE_VALUES_H
#define WV_WRITE_VALUES_H

#include "aspect/resolve/values.h"
#include "base/str.h"

/* Writes what comes before all advice: the macros for `$(name)`, and the structs by name. */
void wv_values_write_head(const struct wv_values *values, struct wv_str *out);

/* Whether the C of any value depends on the joinpoint that was hit. */
bool wv_values_need_joinpoints(const struct wv_values *values);

/* WR_BIT()s of the registers that the C of advice @index uses. */
uint32_t wv_values_registers(const struct wv_values *values, size_t index);

/* Writes functions that distinguish the shadows of advice @index; they come before its body. */
void wv_values_write_functions(const struct wv_values *values, const struct wv_selection *selection,
			       size_t index, struct wv_str *out);

/* Writes the declarations at the beginning of its body, and what closes them after it. */
void wv_values_write_declarations(const struct wv_values *values, size_t index, struct wv_str *out);
void wv_values_write_end(const struct wv_values *values, size_t index, struct wv_str *out);

#endif /* WV_WRITE_VALUES_H */
