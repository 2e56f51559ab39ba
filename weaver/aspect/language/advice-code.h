/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists the C that the author wrote for an advice outside its body. */
#ifndef WV_ADVICE_CODE_H
#define WV_ADVICE_CODE_H

#include "aspect/language/aspect-model.h"

/*
 * Returns whether @advice checks the <xflow>s of its pointcut at each hit. The end of a pair does
 * not, because the pair's start has checked them. Advice that counts a flow or untags objects does
 * not, because it must see every execution.
 */
bool wv_advice_asks_tags(const struct wv_aspect_advice *advice);

/*
 * Returns whether the aspect can only be woven if none of the advice's shadows is refused. This
 * holds for two kinds of advice:
 * - Advice that counts a flow: without one of the exits, the flow would be entered and never left.
 * - Advice that untags objects: an object that it misses would keep its tag, and so would the next
 *   object at the same address.
 */
bool wv_advice_is_required(const struct wv_aspect_advice *advice);

/*
 * Returns piece @index of the C that a metric or a <tag> has in its attributes for @advice; NULL:
 * no more pieces. Advice that the author wrote has none: its C is @advice->code.
 */
const struct wv_aspect_code *wv_advice_code(const struct wv_aspect *aspect,
					    const struct wv_aspect_advice *advice, size_t index);

#endif /* WV_ADVICE_CODE_H */
