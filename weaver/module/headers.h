/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Searches the headers that a module can include, after the module could not be compiled. Finds the
 * header that defines a type, and headers whose name is similar to that of a missing one.
 */
#ifndef WV_HEADERS_H
#define WV_HEADERS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/suggest.h"

/*
 * Finds the header that defines @type, such as "struct sk_buff", and sets @ret to its name as in
 * #include. If several headers define the type, takes the most general one. Returns false and sets
 * @ret to "" if none does. @kernel: the kernel's build folder.
 */
bool wv_headers_define(const char *kernel, const char *type, char *ret, size_t size);

/* Offers the names of the headers most similar to @header, which does not exist. */
void wv_headers_suggest(const char *kernel, const char *header, struct wv_suggestion *ret);

#endif /* WV_HEADERS_H */
