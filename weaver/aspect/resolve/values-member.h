/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds $obj, $value and $field(name) at the shadow of a member access. */
#ifndef WV_VALUES_MEMBER_H
#define WV_VALUES_MEMBER_H

#include "aspect/resolve/finder.h"

/*
 * Finds @named, one of $obj, $value and $field(name). Returns 0 also if it is unavailable (@ret has
 * the reason); else errors of reading the image. For the $value of a call that has returned use
 * wv_find_return() instead.
 */
int wv_find_member(struct wv_finder *finder, const struct wv_reference *named,
		   struct wv_finding *ret);

/*
 * The type of the member that is accessed at the finder's joinpoint. *@known_ret is false if DWARF
 * does not have it.
 */
int wv_find_member_type(struct wv_finder *finder, bool *known_ret, struct wv_type *ret);

#endif /* WV_VALUES_MEMBER_H */
