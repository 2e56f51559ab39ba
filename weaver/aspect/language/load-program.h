/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads which program a pointcut is for, and reports what programs do not allow. */
#ifndef WV_LOAD_PROGRAM_H
#define WV_LOAD_PROGRAM_H

#include "aspect/language/load-attributes.h"

/* Loads the attribute `program` of @node, a <pointcut>, into @pointcut. */
void wv_load_program(struct wv_loader *loader, const struct wv_xml_node *node,
		     struct wv_aspect_pointcut *pointcut);

/*
 * Reports what advice and pointcuts of programs cannot have, such as around-advice. To be called
 * when all <ref>s are resolved, and all advice is bound to its pointcut.
 */
void wv_load_check_programs(struct wv_loader *loader);

#endif /* WV_LOAD_PROGRAM_H */
