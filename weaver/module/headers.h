/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The headers that a module of a kernel can include, looked through when its compiler misses
 * something: who defines a type, which is called alike.
 */
#ifndef WV_HEADERS_H
#define WV_HEADERS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/suggest.h"

/*
 * The header that defines @type, "struct sk_buff" or the like, as #include names it; the one of
 * several that is the most general. False where there is none, or no folder of headers.
 */
bool wv_headers_define(const char *kernel, const char *type, char *ret, size_t size);

/* The headers that are called most like @header. */
void wv_headers_suggest(const char *kernel, const char *header, struct wv_suggestion *ret);

#endif /* WV_HEADERS_H */
