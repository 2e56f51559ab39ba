/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads <cflow>: advice runs only while a certain function is active in the task. */
#ifndef WV_LOAD_FLOWS_H
#define WV_LOAD_FLOWS_H

#include "aspect/language/load-attributes.h"

/*
 * Loads the <cflow>s of @pointcut. @node is the one element that <pointcut> contains. Reports a
 * <cflow> where none is allowed.
 */
void wv_load_flows(struct wv_loader *loader, const struct wv_xml_node *node,
		   struct wv_aspect_pointcut *pointcut);

/*
 * Adds, for each function of a <cflow>, the advice that counts its entries and exits. Call it after
 * all other advice is bound to its pointcut.
 */
void wv_load_flow_advices(struct wv_loader *loader);

#endif /* WV_LOAD_FLOWS_H */
