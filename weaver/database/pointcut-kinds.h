/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of pointcut kinds. Queries, parsers, help, completion and messages use it. */
#ifndef WV_POINTCUT_KINDS_H
#define WV_POINTCUT_KINDS_H

#include "base/str.h"
#include "database/pointcut-kind.h"

/* The prefix of a tracepoint's name, as in bpftrace and perf. */
#define WV_TRACEPOINT_PREFIX "tracepoint:"

const struct wv_pointcut_kind *wv_pointcut_kind(enum wv_pointcut_type type);

/*
 * Returns one of the parts of a function that a pointcut can name, such as "exit". @i counts from 0
 * over the parts of all kinds. Returns NULL if @i is their number or more. Sets *@type_ret, unless
 * @type_ret is NULL, to the type of a pointcut that names the part.
 */
const struct wv_function_part *wv_function_part(size_t i, enum wv_pointcut_type *type_ret);

/* Returns the part named @name (@n bytes), or NULL. */
const struct wv_function_part *wv_function_part_find(const char *name, size_t n,
						     enum wv_pointcut_type *type_ret);

/*
 * Adds a list of the parts of a function to @out, such as "%entry, %exit or %calls". If
 * @only_in_xml is true, the list has only those that aspects can name, else all. @mark ("%") is
 * written before each part, and @last (" or ") between the last two.
 */
void wv_function_parts_text(bool only_in_xml, const char *mark, const char *last,
			    struct wv_str *out);

/* Adds the forms of pointcuts on the command line and what each of them picks, for a terminal. */
void wv_pointcut_help(struct wv_str *out);

#endif /* WV_POINTCUT_KINDS_H */
