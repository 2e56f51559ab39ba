/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Generates guards: C that checks the filter (pid, comm, uid) and the flows (<cflow>) of an advice
 * before anything else of the advice runs.
 */
#ifndef WV_GUARD_H
#define WV_GUARD_H

#include "aspect/language/aspect-model.h"
#include "base/str.h"

/* Returns whether @advice may have a check of a filter, a flow or a tag. */
bool wv_has_guard(const struct wv_aspect *aspect, const struct wv_aspect_advice *advice);

/*
 * Writes the first lines of the advice's function: the function returns there if the guard does not
 * hold. Two kinds of advice differ:
 * - Of the advice that starts a pair, only terms that cannot change until the pair ends make the
 *   function return. Whether the other terms hold is stored in the variable weft_active, which the
 *   start keeps for the end; or, if its pointcut has an <xflow>, in weft_passes, of which
 *   wv_tags_write_guard() makes weft_active.
 * - For around-advice, writes the whole body of weft_wanted_N(), which returns whether the guard
 *   holds.
 */
void wv_write_guard(const struct wv_aspect *aspect, const struct wv_aspect_advice *advice,
		    struct wv_str *out);

#endif /* WV_GUARD_H */
