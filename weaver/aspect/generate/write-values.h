/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values as C. */
#ifndef WV_WRITE_VALUES_H
#define WV_WRITE_VALUES_H

#include "aspect/resolve/values.h"
#include "base/str.h"

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

#endif /* WV_WRITE_VALUES_H */
