/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads an aspect's file. */
#ifndef WV_LOAD_H
#define WV_LOAD_H

#include "aspect/language/aspect-model.h"
#include "aspect/xml/errors.h"
#include "base/str.h"

/*
 * Read and check the file @path: everything that can be checked without a database (names,
 * attributes, which advice belongs to which pointcut, variables in C). Return -WV_E_ASPECT if there
 * are errors: @error is the first one, with its location; @errors has all, including the first one,
 * but is empty if the file cannot be read.
 */
int wv_aspect_load(const char *path, struct wv_aspect **ret, struct wv_error *error);
int wv_aspect_load_all(const char *path, struct wv_aspect **ret, struct wv_errors *errors,
		       struct wv_error *error);
/*
 * Like wv_aspect_load_all(), for @text instead of a file: @path is its name in messages. If @text
 * is NULL, reads the file @path.
 */
int wv_aspect_load_text(const char *path, const struct wv_str *text, struct wv_aspect **ret,
			struct wv_errors *errors, struct wv_error *error);

#endif /* WV_LOAD_H */
