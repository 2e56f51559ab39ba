/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names of the arguments of a weft_log() statement (runtime/value-names.h), and their units.
 */
#ifndef WV_ARGUMENT_NAMES_H
#define WV_ARGUMENT_NAMES_H

#include <stddef.h>

/*
 * One argument. The text from .start to .end is the C expression of its value: VALUE, if the
 * argument is written `weft_unit(VALUE, "UNIT")`.
 */
struct wv_argument_name {
	const char *start, *end;
	/* UNIT, from .unit to .unit_end; the two are equal if the argument has no unit */
	const char *unit, *unit_end;
};

/* Returns the argument @index of @names. If there is none, all texts of the result are empty. */
struct wv_argument_name wv_argument_name(const char *names, size_t index);

/*
 * Returns the argument from @start to @end, split into value and unit, without blanks around the
 * value.
 */
struct wv_argument_name wv_argument_split(const char *start, const char *end);

#endif /* WV_ARGUMENT_NAMES_H */
