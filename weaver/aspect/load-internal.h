/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the loader share: the aspect being built, its errors, and how values are read. */
#ifndef WEFT_ASPECT_LOAD_INTERNAL_H
#define WEFT_ASPECT_LOAD_INTERNAL_H

#include <stdint.h>

#include "aspect/aspect.h"
#include "aspect/errors.h"

struct wv_loader {
	struct wv_aspect *aspect;
	const struct wv_xml *xml;
	struct wv_error_list list;
};

/* NULL where the node has none: the check against the rules has complained of it already. */
const struct wv_xml_attribute *wv_load_attribute(const struct wv_xml_node *node, const char *name);

/*
 * Copies of an attribute's value, NULL where it is absent: as it stands; and a C name that may also
 * have the characters of @also. What is no name is complained of.
 */
char *wv_load_text(struct wv_loader *loader, const struct wv_xml_node *node, const char *name);
char *wv_load_identifier(struct wv_loader *loader, const struct wv_xml_node *node, const char *name,
			 const char *also);
uint64_t wv_load_number(struct wv_loader *loader, const struct wv_xml_node *node, const char *name,
			uint64_t least, uint64_t most);

/* The attribute `optional`; false where it is absent. */
bool wv_load_optional(struct wv_loader *loader, const struct wv_xml_node *node);

/* The attributes `launch` and `splash`; 0 where they are absent. */
void wv_load_times(struct wv_loader *loader, const struct wv_xml_node *node, struct wv_aspect_advice *advice);

/* Whether @text is a C name, where the characters of @also count as letters. */
bool wv_load_is_identifier(const char *text, const char *also);

/*
 * What an element of a <pointcut> picks; NULL where nothing can be made of it, which was complained
 * of. References are resolved, and the whole judged, when all pointcuts are there.
 */
struct wv_pick *wv_load_pick(struct wv_loader *loader, const struct wv_xml_node *node);
void wv_load_resolve(struct wv_loader *loader);

/* The pointcut of that name; complains at @place, with the nearest names, where there is none. */
bool wv_load_find(struct wv_loader *loader, const char *name, struct wv_place place, size_t *ret);

#endif /* WEFT_ASPECT_LOAD_INTERNAL_H */
