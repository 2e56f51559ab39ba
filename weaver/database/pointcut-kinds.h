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
 * The @i-th part of a function that a pointcut can name, from 0; NULL after the last. @type_ret may
 * be NULL.
 */
const struct wv_function_part *wv_function_part(size_t i, enum wv_pointcut_type *type_ret);

/* The part named @name (@n bytes), or NULL. */
const struct wv_function_part *wv_function_part_find(const char *name, size_t n,
						     enum wv_pointcut_type *type_ret);

/*
 * Adds text such as "%entry, %exit or %calls": all parts or, with @only_in_xml, those that aspects
 * can name. @mark precedes each part ("%"); @last separates the last two (" or ").
 */
void wv_function_parts_text(bool only_in_xml, const char *mark, const char *last,
			    struct wv_str *out);

/* Adds the command line's forms and what each picks, as lines for a terminal. */
void wv_pointcut_help(struct wv_str *out);

#endif /* WV_POINTCUT_KINDS_H */
