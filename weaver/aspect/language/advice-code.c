// SPDX-License-Identifier: GPL-2.0-or-later
/* Lists an advice's C; see advice-code.h. */
#include "aspect/language/advice-code.h"

bool wv_advice_asks_tags(const struct wv_aspect_advice *advice)
{
	return !advice->ends && !advice->flow && !advice->untags;
}

bool wv_advice_is_required(const struct wv_aspect_advice *advice)
{
	return advice->flow || advice->untags;
}

const struct wv_aspect_code *wv_advice_code(const struct wv_aspect *aspect,
					    const struct wv_aspect_advice *advice, size_t index)
{
	const struct wv_aspect_tag *tag;

	if (advice->metric)
		return wv_metric_code(advice->metric, advice->ends, index);
	if (!advice->tag)
		return NULL;
	tag = &aspect->tags.data[advice->tag - 1];
	if (advice->untags)
		return index ? NULL : &tag->until_object;
	return index == 0				  ? &tag->object :
	       index == 1 && tag->condition.location.line ? &tag->condition :
							    NULL;
}
