/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whose hits a weave is for, from its request to what advice asks. */
#ifndef WK_FILTER_H
#define WK_FILTER_H

#include "runtime/advice.h"

/*
 * -EINVAL it asks what there is not, -EOPNOTSUPP @module cannot ask, -ESRCH no such process. Under
 * wk_mutex, while it is not woven.
 */
int wk_filter_set(struct weft_aspect *module, const struct weft_filter *filter);

#endif /* WK_FILTER_H */
