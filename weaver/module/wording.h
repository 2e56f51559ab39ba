/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The compiler's messages in the author's words: it sees the generated C, and names what the author
 * has never written.
 */
#ifndef WV_WORDING_H
#define WV_WORDING_H

#include <stddef.h>

#include "aspect/language/aspect-model.h"

/*
 * Changes @text, a message of GCC's for that place of the aspect: a local variable is called
 * $(name) as in the XML, a hint at what is none of the author's business is dropped, and one at the
 * words of by and key, or at weft's functions, is put there.
 */
void wv_wording(const struct wv_aspect *aspect, struct wv_text_location location, char *text,
		size_t size);

#endif /* WV_WORDING_H */
