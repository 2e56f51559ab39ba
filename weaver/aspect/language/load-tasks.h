/* SPDX-License-Identifier: GPL-2.0-or-later */
/* <task>: variables that every task has its own of. */
#ifndef WV_LOAD_TASKS_H
#define WV_LOAD_TASKS_H

#include "aspect/language/load-attributes.h"

void wv_load_task(struct wv_loader *loader, const struct wv_xml_node *node);

/* The aspect's attribute `tasks`: for how many tasks there is room. */
void wv_load_tasks_room(struct wv_loader *loader, const struct wv_xml_node *root);

/* Reports every $task(name) of @code that is no <task> of the aspect. */
void wv_check_tasks(struct wv_loader *loader, const struct wv_aspect_code *code);

#endif /* WV_LOAD_TASKS_H */
