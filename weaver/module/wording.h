/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rewrites the compiler's messages in the author's words. The compiler sees the generated C and so
 * names things that the author has never written.
 */
#ifndef WV_WORDING_H
#define WV_WORDING_H

#include <stddef.h>

#include "aspect/language/aspect-model.h"

/*
 * Changes @text, a message of GCC's for @location in the aspect, in place. A local variable is
 * named $(name) as in the XML. Hints about generated names are dropped. Hints about the words of
 * `by` and `key`, or about weft's functions, are added.
 */
void wv_wording(const struct wv_aspect *aspect, struct wv_text_location location, char *text,
		size_t size);

#endif /* WV_WORDING_H */
