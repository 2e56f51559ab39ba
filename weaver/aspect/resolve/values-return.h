/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds $ret: the value that a function or call has returned. */
#ifndef WV_VALUES_RETURN_H
#define WV_VALUES_RETURN_H

#include "aspect/resolve/finder.h"

/*
 * Finds $ret at the finder's joinpoint. Returns 0 also if it is unavailable there; then @ret has
 * the reason. Returns an error if the image cannot be read.
 */
int wv_find_return(struct wv_finder *finder, struct wv_finding *ret);

#endif /* WV_VALUES_RETURN_H */
