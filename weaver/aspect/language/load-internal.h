/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the loader share: the aspect being built, its errors, and how values are read. */
#ifndef WV_LOAD_INTERNAL_H
#define WV_LOAD_INTERNAL_H

#include <stdint.h>

#include "aspect/language/aspect-model.h"
#include "aspect/xml/errors.h"

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

/* log2 of the least power of two that holds @n; 1 at least. */
uint32_t wv_load_bits_for(uint64_t n);

/* An attribute that is "yes" or "no"; false where it is absent. */
bool wv_load_yes(struct wv_loader *loader, const struct wv_xml_node *node, const char *name);

/* The text of @node into @ret; false where it cannot be had, which was complained of. */
bool wv_load_body(struct wv_loader *loader, const struct wv_xml_node *node, struct wv_xml_text *ret);

/* <declare>, <start>, <end>: C without a joinpoint. */
bool wv_is_block(const char *element);
void wv_load_block(struct wv_loader *loader, const struct wv_xml_node *node);

/*
 * The <cflow>s of a pointcut, of which @node is what it holds; the others are complained of. Afterwards, when all advice is bound: the
 * advices that follow each function.
 */
void wv_load_flows(struct wv_loader *loader, const struct wv_xml_node *node, struct wv_aspect_pointcut *pointcut);
void wv_load_flow_advices(struct wv_loader *loader);

/* The attributes pid, comm and uid; NULL where there are none. What it returns is the aspect's. */
const struct wv_hit_filter *wv_load_hit_filter(struct wv_loader *loader, const struct wv_xml_node *node);
void wv_hit_filter_destroy(struct wv_hit_filter *filter);

/* <task>, and the aspect's attribute `tasks`; and whether every $task(name) of @code is one of them, which is complained of. */
void wv_load_task(struct wv_loader *loader, const struct wv_xml_node *node);
void wv_load_tasks_room(struct wv_loader *loader, const struct wv_xml_node *root);
void wv_check_tasks(struct wv_loader *loader, const struct wv_aspect_code *code);
/* The attributes `start` and `stop`; 0 where they are absent. */
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
bool wv_load_find(struct wv_loader *loader, const char *name, struct wv_text_location location, size_t *ret);

#endif /* WV_LOAD_INTERNAL_H */
