/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Generates guards: C that checks the filter (pid, comm, uid) and the flows (<cflow>) of an advice
 * before anything else of the advice runs.
 */
#ifndef WV_GUARD_H
#define WV_GUARD_H

#include "aspect/language/aspect-model.h"
#include "base/str.h"

bool wv_has_guard(const struct wv_aspect *aspect, const struct wv_aspect_advice *advice);

/*
 * Writes the first lines of the advice's function: they return if the guard does not hold. In a
 * function that starts a pair, terms that may change until the pair's end do not return: they only
 * set the variable weft_active, and the start stores it for the end.
 */
void wv_write_guard(const struct wv_aspect *aspect, const struct wv_aspect_advice *advice,
		    struct wv_str *out);

#endif /* WV_GUARD_H */
