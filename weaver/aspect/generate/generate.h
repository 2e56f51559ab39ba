/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The C of an aspect module: an ordinary, readable source file of the kernel's style, made of the
 * macros in runtime/advice.h. The same aspect and the same joinpoints give the same bytes, whatever
 * the folder.
 */
#ifndef WV_GENERATE_H
#define WV_GENERATE_H

#include "aspect/resolve/values.h"
#include "base/str.h"

/*
 * Appends the source to @out. @values are those of the finished selection. @build_id is that of the
 * vmlinux which the joinpoints come from.
 */
int wv_generate(const struct wv_aspect *aspect, const struct wv_selection *selection,
		const struct wv_values *values, const uint8_t *build_id, size_t build_id_size,
		struct wv_str *out, struct wv_error *error);

/*
 * @path without its folders: what the generated code and so the compiler's messages call the XML
 * file.
 */
const char *wv_base_name(const char *path);

#endif /* WV_GENERATE_H */
