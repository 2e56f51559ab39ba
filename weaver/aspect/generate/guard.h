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
 * Writes the first lines of the advice's function: the function returns there if the guard does not
 * hold. Advice that starts a pair does not return for a term that may change until the pair ends.
 * It stores in the variable weft_active whether these terms hold; the start remembers this for the
 * end.
 */
void wv_write_guard(const struct wv_aspect *aspect, const struct wv_aspect_advice *advice,
		    struct wv_str *out);

#endif /* WV_GUARD_H */
