/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Generates the C of an aspect module: a readable source file in the kernel's style, made of the
 * macros in runtime/advice.h. The output is reproducible: the same aspect and joinpoints give the
 * same bytes in any folder.
 */
#ifndef WV_GENERATE_H
#define WV_GENERATE_H

#include "aspect/resolve/values.h"
#include "base/str.h"

/*
 * Appends the module's source to @out. @values are those found for the @selection. @incomplete:
 * what the aspect may lack, lines of text that the module carries along; "" if nothing.
 * Of a selection that is not finished the C shows errors only: it cannot be a module.
 */
int wv_generate(const struct wv_aspect *aspect, const struct wv_selection *selection,
		const struct wv_values *values, const char *incomplete, struct wv_str *out,
		struct wv_error *error);

/*
 * May @advice use so much stack that each hit has to see whether it is left? Its function is named
 * weft_deep_N then, and not weft_entry_N, which calls it. Never of metrics and flows: a pair must
 * not lose one of its ends.
 */
bool wv_is_deep(const struct wv_aspect *aspect, const struct wv_aspect_advice *advice);

/*
 * @path without its folders. The generated C, and so the compiler's messages, name the XML file so.
 */
const char *wv_base_name(const char *path);

#endif /* WV_GENERATE_H */
