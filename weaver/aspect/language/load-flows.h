/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads <cflow>, which lets advice run only while a function is active in the task. */
#ifndef WV_LOAD_FLOWS_H
#define WV_LOAD_FLOWS_H

#include "aspect/language/load-attributes.h"

/*
 * Loads the <cflow>s and <xflow>s of @pointcut. @node: the one element in the <pointcut>. Reports
 * each where none is allowed.
 */
void wv_load_flows(struct wv_loader *loader, const struct wv_xml_node *node,
		   struct wv_aspect_pointcut *pointcut);

/*
 * Adds, for the function of each <cflow>, the advice that counts its entries and exits. To be
 * called when all other advice has been bound to its pointcut.
 */
void wv_load_flow_advices(struct wv_loader *loader);

#endif /* WV_LOAD_FLOWS_H */
