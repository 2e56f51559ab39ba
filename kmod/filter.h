/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The filter of a weave: translates it from the form in the request (struct weft_filter) to the
 * form that is tested at each hit (struct wr_filter in advice.h).
 */
#ifndef WK_FILTER_H
#define WK_FILTER_H

#include "runtime/advice.h"

/*
 * Sets module->filter. Under wk_mutex, while the aspect is not woven. Returns 0, or:
 * -EINVAL: a flag is unknown, or ->comm is not terminated
 * -EOPNOTSUPP: the aspect was compiled without WEFT_ASPECT_FILTERED
 * -ESRCH: there is no process of that pid
 */
int wk_filter_set(struct weft_aspect *module, const struct weft_filter *filter);

#endif /* WK_FILTER_H */
