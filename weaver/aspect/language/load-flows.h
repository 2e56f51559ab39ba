/* SPDX-License-Identifier: GPL-2.0-or-later */
/* <cflow>: a condition on the functions that are active in the task. */
#ifndef WV_LOAD_FLOWS_H
#define WV_LOAD_FLOWS_H

#include "aspect/language/load-attributes.h"

/* The <cflow>s of @pointcut, of which @node is the content; reports those that stand elsewhere. */
void wv_load_flows(struct wv_loader *loader, const struct wv_xml_node *node,
		   struct wv_aspect_pointcut *pointcut);

/* When all advice is bound: adds the advices that follow each function of a <cflow>. */
void wv_load_flow_advices(struct wv_loader *loader);

#endif /* WV_LOAD_FLOWS_H */
