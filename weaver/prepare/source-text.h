/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A C source file as far as it has to be understood to know what its text makes the compiler emit
 * in a unit that includes it. It is not preprocessed: of a condition, all branches are read.
 */
#ifndef WV_SOURCE_TEXT_H
#define WV_SOURCE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/str.h"
#include "base/vec.h"

enum wv_part_kind {
	WV_PART_NAMED,	 /* a macro, or a static function: emitted where it is named */
	WV_PART_LOOSE,	 /* an initializer, a global function: emitted wherever included */
	WV_PART_INCLUDE, /* #include; its text is the path */
};

/* A part of a file's text. Declarations are in none: they emit nothing. */
struct wv_part {
	enum wv_part_kind kind;
	const char *text; /* without comments and literals; not terminated */
	size_t n;
	/* NAMED: that many elements of wv_source_text.names, from .first_name on */
	size_t first_name, nr_names;
	bool done; /* for the caller */
};

struct wv_name {
	const char *text; /* not terminated */
	size_t n;
};

struct wv_source_text {
	char *path;			 /* from the top of the source tree */
	char *code, *directives;	 /* the texts that the parts point into */
	WV_VEC(struct wv_part) parts;
	WV_VEC(struct wv_name) names;
	bool loose; /* for the caller */
};

/* Reads the file @path below the folder @source. */
int wv_source_text_read(const char *source, const char *path, struct wv_source_text *ret,
			struct wv_error *error);
void wv_source_text_deinit(struct wv_source_text *text);

/*
 * Finds the next identifier in @text, at or after *@at; *@at becomes the byte behind it. *@n_ret is
 * its size. NULL: there is none.
 */
const char *wv_next_word(const char *text, size_t size, size_t *at, size_t *n_ret);

#endif /* WV_SOURCE_TEXT_H */
