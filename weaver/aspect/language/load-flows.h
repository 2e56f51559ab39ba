/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads <cflow>: a condition on the functions that are active in the task. */
#ifndef WV_LOAD_FLOWS_H
#define WV_LOAD_FLOWS_H

#include "aspect/language/load-attributes.h"

/* Loads the <cflow>s of @pointcut, whose content is @node; reports misplaced ones. */
void wv_load_flows(struct wv_loader *loader, const struct wv_xml_node *node,
		   struct wv_aspect_pointcut *pointcut);

/* Adds the advice that follows each function of a <cflow>. Call it when all advice is bound. */
void wv_load_flow_advices(struct wv_loader *loader);

#endif /* WV_LOAD_FLOWS_H */
