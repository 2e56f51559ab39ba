/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the compiled code of an aspect may not do: use more stack than its limit, call itself, call
 * from advice a function of the kernel that may sleep, keep what advice has taken. Checked on the
 * call graph of the finished module, so inlining and what macros expand to are accounted for.
 */
#ifndef WV_CHECK_CALLS_H
#define WV_CHECK_CALLS_H

#include "aspect/language/aspect-model.h"
#include "aspect/xml/errors.h"

struct wv_db;

/*
 * @db: the kernel's. @graph: the compiler's (call-graph.h). Returns -WV_E_ADVICE with the first
 * error in @error, and all of them in @errors.
 */
int wv_check_calls(const struct wv_aspect *aspect, struct wv_db *db, const char *graph,
		   struct wv_errors *errors, struct wv_error *error);

#endif /* WV_CHECK_CALLS_H */
