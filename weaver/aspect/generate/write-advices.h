/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Generates the aspect module's table of advice. */
#ifndef WV_WRITE_ADVICES_H
#define WV_WRITE_ADVICES_H

#include <stdbool.h>
#include <stdint.h>

#include "aspect/language/aspect-model.h"
#include "aspect/resolve/values.h"
#include "base/str.h"

/*
 * Returns whether the advice needs no function, because the trampoline can count its hits by
 * itself: the advice has no guard, and its body is empty or it is a counter without the author's C.
 */
bool wv_advice_is_inline(const struct wv_aspect *aspect, const struct wv_aspect_advice *advice);

/* Writes the table (of struct weft_advice) with one element for each advice of the aspect. */
void wv_advices_write(const struct wv_aspect *aspect, const struct wv_values *values,
		      struct wv_str *out);

/* Writes @bits as "WR_BIT(WR_RAX) | WR_BIT(WR_FLAGS)", or "0". */
void wv_registers_write(uint32_t bits, struct wv_str *out);

#endif /* WV_WRITE_ADVICES_H */
