/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks the compiled code of an aspect. Four things are errors:
 * - The code uses more stack than its limit.
 * - A function calls itself, directly or not.
 * - Advice calls a function of the kernel that may sleep.
 * - Advice returns without giving back what it took (a lock, for example).
 *
 * Uses the call graph of the finished module, which includes inlined functions and expanded macros.
 */
#ifndef WV_CHECK_CALLS_H
#define WV_CHECK_CALLS_H

#include "aspect/language/aspect-model.h"
#include "aspect/xml/errors.h"

struct wv_db;
struct wv_selection;

/*
 * Checks a compiled aspect. @selection: its joinpoints. @db: the database of the kernel. @graph:
 * the compiler's call graph (call-graph.h). Returns -WV_E_ADVICE with the first error in @error,
 * and all errors in @errors.
 */
int wv_check_calls(const struct wv_aspect *aspect, const struct wv_selection *selection,
		   struct wv_db *db, const char *graph, struct wv_errors *errors,
		   struct wv_error *error);

#endif /* WV_CHECK_CALLS_H */
