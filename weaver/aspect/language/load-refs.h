/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Resolves references between the pointcuts of an aspect. */
#ifndef WV_LOAD_REFS_H
#define WV_LOAD_REFS_H

#include "aspect/language/load-attributes.h"

/* The pointcut of that name. If there is none, reports it at @location with the nearest names. */
bool wv_load_find(struct wv_loader *loader, const char *name, struct wv_text_location location,
		  size_t *ret);

/*
 * Resolves all references, then checks each pointcut as a whole: whether it picks anything and
 * whether it refers to itself.
 */
void wv_load_resolve(struct wv_loader *loader);

#endif /* WV_LOAD_REFS_H */
