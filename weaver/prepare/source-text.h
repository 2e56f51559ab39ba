/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Splits a C source file into parts, without preprocessing it: all branches of an #if are read. The
 * kind of a part says when the compiler emits code or data for it: wherever the file is included,
 * or only where other code uses the part's name.
 */
#ifndef WV_SOURCE_TEXT_H
#define WV_SOURCE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/str.h"
#include "base/vec.h"

enum wv_part_kind {
	WV_PART_NAMED,	 /* a macro or a static function: emitted where its name is used */
	/* an initializer or a global function: emitted wherever the file is included */
	WV_PART_LOOSE,
	WV_PART_INCLUDE, /* an #include; its text is the path */
};

/* A part of a file's text. Declarations belong to no part, since nothing is emitted for them. */
struct wv_source_part {
	enum wv_part_kind kind;
	const char *text; /* without comments and literals; not terminated */
	size_t n;
	/*
	 * for NAMED: the part's names are .nr_names elements of wv_source_text.names, from
	 * .first_name on
	 */
	size_t first_name, nr_names;
};

struct wv_name {
	const char *text; /* not terminated by a NUL */
	size_t n;
};

struct wv_source_text {
	char *path;			 /* path relative to the top of the source tree */
	/*
	 * the texts to which the parts and names point. .directives: the preprocessor's directives,
	 * one per line; NULL: there are none. .code: everything else.
	 */
	char *code, *directives;
	WV_VEC(struct wv_source_part) parts;
	WV_VEC(struct wv_name) names;
};

/* Reads the file @path below the folder @source. */
int wv_source_text_read(const char *source, const char *path, struct wv_source_text *ret,
			struct wv_error *error);
void wv_source_text_deinit(struct wv_source_text *text);

/*
 * Returns the next identifier or number in @text, at or after the offset *@at, and sets *@n_ret to
 * its length and *@at to the offset after it, all in bytes. Returns NULL if there is none.
 */
const char *wv_next_word(const char *text, size_t size, size_t *at, size_t *n_ret);

#endif /* WV_SOURCE_TEXT_H */
