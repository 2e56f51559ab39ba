/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whose hits a weave is for, from its request to what advice asks. */
#ifndef WK_FILTER_H
#define WK_FILTER_H

#include "runtime/advice.h"

/*
 * -EINVAL: the filter has an unknown flag. -EOPNOTSUPP: the aspect's advice was compiled without a
 * filter. -ESRCH: there is no process of that pid. Under wk_mutex, while the aspect is not woven.
 */
int wk_filter_set(struct weft_aspect *module, const struct weft_filter *filter);

#endif /* WK_FILTER_H */
