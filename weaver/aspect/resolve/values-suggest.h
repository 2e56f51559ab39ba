/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What somebody may have meant who names a variable, member or symbol that is not there. */
#ifndef WV_VALUES_SUGGEST_H
#define WV_VALUES_SUGGEST_H

#include "aspect/resolve/finder.h"
#include "base/suggest.h"

/* Names like that of @named, which cannot be had here. */
int wv_suggest(struct wv_finder *finder, const struct wv_reference *named,
	       struct wv_suggestion *suggestion);

#endif /* WV_VALUES_SUGGEST_H */
