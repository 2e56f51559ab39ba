/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds $obj, $value and $field(name) at the shadow of a member access. */
#ifndef WV_VALUES_MEMBER_H
#define WV_VALUES_MEMBER_H

#include "aspect/resolve/finder.h"

/*
 * Finds @named, one of $obj, $value and $field(name). Returns 0 also if it is unavailable; then
 * @ret has the reason. Returns an error if the image cannot be read. Not for the $value of a call
 * that has returned: see wv_find_return().
 */
int wv_find_member(struct wv_finder *finder, const struct wv_reference *named,
		   struct wv_finding *ret);

/*
 * Gets the type of the member that is accessed at the finder's joinpoint. *@known_ret is false if
 * DWARF does not have it.
 */
int wv_find_member_type(struct wv_finder *finder, bool *known_ret, struct wv_type *ret);

#endif /* WV_VALUES_MEMBER_H */
