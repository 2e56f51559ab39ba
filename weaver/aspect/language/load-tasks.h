/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads <task>: variables of which each task has its own copy. */
#ifndef WV_LOAD_TASKS_H
#define WV_LOAD_TASKS_H

#include "aspect/language/load-attributes.h"

void wv_load_task(struct wv_loader *loader, const struct wv_xml_node *node);

/* Reads the aspect's attribute `tasks`: the number of tasks that the task table has room for. */
void wv_load_tasks_room(struct wv_loader *loader, const struct wv_xml_node *root);

/* Reports every $task(name) in @code for which the aspect has no <task>. */
void wv_check_tasks(struct wv_loader *loader, const struct wv_aspect_code *code);

#endif /* WV_LOAD_TASKS_H */
