/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Resolves references between the pointcuts of an aspect. */
#ifndef WV_LOAD_REFS_H
#define WV_LOAD_REFS_H

#include "aspect/language/load-attributes.h"

/*
 * Finds the pointcut @name, and sets *@ret to its index. Returns false if there is none, and
 * reports that at @location, with similar names.
 */
bool wv_load_find(struct wv_loader *loader, const char *name, struct wv_text_location location,
		  size_t *ret);

/*
 * Resolves the names in all <ref>s. Then checks each pointcut as a whole: it must pick something,
 * and its <ref>s must not lead back to it.
 */
void wv_load_resolve(struct wv_loader *loader);

#endif /* WV_LOAD_REFS_H */
