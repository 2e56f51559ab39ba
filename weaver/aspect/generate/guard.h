/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is asked before anything else of an advice: whose hit it is (pid, comm, uid), and what is
 * active in the task (<cflow>).
 */
#ifndef WV_GUARD_H
#define WV_GUARD_H

#include "aspect/language/aspect-model.h"
#include "base/str.h"

bool wv_has_guard(const struct wv_aspect *aspect, const struct wv_aspect_advice *advice);

/*
 * The first lines of the advice's function. The start of a pair goes on where only its end can know
 * what to do with it: then weft_active says whether it counts.
 */
void wv_write_guard(const struct wv_aspect *aspect, const struct wv_aspect_advice *advice,
		    struct wv_str *out);

#endif /* WV_GUARD_H */
