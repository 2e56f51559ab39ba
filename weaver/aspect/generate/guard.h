/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Generates guards, which are evaluated before anything else of an advice: the filter (pid, comm,
 * uid) and the flows (<cflow>).
 */
#ifndef WV_GUARD_H
#define WV_GUARD_H

#include "aspect/language/aspect-model.h"
#include "base/str.h"

bool wv_has_guard(const struct wv_aspect *aspect, const struct wv_aspect_advice *advice);

/*
 * Writes the first lines of the advice's function. The start of a pair continues if only its end
 * can tell whether it counts; weft_active then says whether it does.
 */
void wv_write_guard(const struct wv_aspect *aspect, const struct wv_aspect_advice *advice,
		    struct wv_str *out);

#endif /* WV_GUARD_H */
