/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Searches the headers that a module of a kernel can include, after its compile failed: which
 * header defines a type, which header has a similar name.
 */
#ifndef WV_HEADERS_H
#define WV_HEADERS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/suggest.h"

/*
 * The header that defines @type ("struct sk_buff" or the like), named as in #include; if several
 * do, the most general one. False if there is none, or no folder of headers.
 */
bool wv_headers_define(const char *kernel, const char *type, char *ret, size_t size);

/* The headers with the names most similar to @header. */
void wv_headers_suggest(const char *kernel, const char *header, struct wv_suggestion *ret);

#endif /* WV_HEADERS_H */
