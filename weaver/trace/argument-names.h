/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names of a weft_log()'s arguments: its C, as the author wrote it, split at the commas. */
#ifndef WV_ARGUMENT_NAMES_H
#define WV_ARGUMENT_NAMES_H

#include <stddef.h>

/* The end of the argument at @at: a comma outside of brackets and quotes, or the NUL. */
const char *wv_argument_end(const char *at);

/* `weft_unit(VALUE, "UNIT")` is split into VALUE and its unit. */
struct wv_argument_name {
	const char *start, *end;
	const char *unit, *unit_end; /* equal: it has none */
};

/* All empty: there is no argument @index. */
struct wv_argument_name wv_argument_name(const char *names, size_t index);

/* Splits the argument from @start to @end, without the blanks around it. */
struct wv_argument_name wv_argument_split(const char *start, const char *end);

#endif /* WV_ARGUMENT_NAMES_H */
