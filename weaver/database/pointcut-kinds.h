/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kinds of pointcut: the table that queries, parsers, help, completion and messages go by. */
#ifndef WV_POINTCUT_KINDS_H
#define WV_POINTCUT_KINDS_H

#include "base/str.h"
#include "database/pointcut-kind.h"

const struct wv_pointcut_kind *wv_pointcut_kind(enum wv_pointcut_type type);

/*
 * The parts of a function that a pointcut can name, from @i = 0 on; NULL behind the last.
 * @type_ret may be NULL.
 */
const struct wv_function_part *wv_function_part(size_t i, enum wv_pointcut_type *type_ret);

/* The part of this name (@n bytes), or NULL. */
const struct wv_function_part *wv_function_part_find(const char *name, size_t n,
						     enum wv_pointcut_type *type_ret);

/* "%entry, %exit or %calls": all parts, or those that aspects can name, each behind @mark. */
void wv_function_parts_text(bool only_in_xml, const char *mark, const char *last,
			    struct wv_str *out);

/* The forms of the command line and what each picks, as lines for a terminal. */
void wv_pointcut_help(struct wv_str *out);

#endif /* WV_POINTCUT_KINDS_H */
