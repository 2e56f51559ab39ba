/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rewrites GCC's messages in the author's words. GCC sees the generated C, so it names things that
 * the author has never written.
 */
#ifndef WV_WORDING_H
#define WV_WORDING_H

#include <stddef.h>

#include "aspect/language/aspect-model.h"

/*
 * Changes @text, GCC's message about @location of the aspect, in place; it has room for @size
 * bytes. A local variable is called $(name) as in the XML. GCC's hints at generated names are
 * removed. Hints at the words that `by` and `key` accept, or at weft's functions, are added.
 */
void wv_wording(const struct wv_aspect *aspect, struct wv_text_location location, char *text,
		size_t size);

#endif /* WV_WORDING_H */
