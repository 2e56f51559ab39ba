// SPDX-License-Identifier: GPL-2.0-or-later
/* Loads task variables: <task>, and the names by which C refers to them. */
#include <stdlib.h>
#include <string.h>

#include "aspect/language/body.h"
#include "aspect/language/load-tasks.h"
#include "base/suggest.h"

enum {
	ROOM_DEFAULT = 4096,
	ROOM_MAX = 1 << 16,
};

static void load_type(struct wv_loader *loader, const struct wv_xml_node *node,
		      struct wv_aspect_code *ret)
{
	const struct wv_xml_attribute *attribute = wv_load_attribute(node, "type");

	if (!attribute || !wv_load_code(loader, attribute, ret))
		return;
	wv_body_check(ret, &loader->list);
	if (wv_code_is_blank(ret))
		wv_report_error(&loader->list, attribute->value_location,
				"type is empty: it is a type of C's, such as u64");
	else if (ret->variables || ret->named.n || ret->tasks.n)
		wv_report_error(&loader->list, attribute->value_location,
				"a type has no variables");
}

void wv_load_task(struct wv_loader *loader, const struct wv_xml_node *node)
{
	const struct wv_xml_attribute *name = wv_load_attribute(node, "name");
	struct wv_aspect_task *task;

	wv_vec_for_each(other, &loader->aspect->tasks)
		if (name && other->name && !strcmp(other->name, name->value))
			wv_report_error(&loader->list, name->value_location,
					"there is a <task> '%s' already", name->value);
	if (name && !strncmp(name->value, "weft_", 5))
		wv_report_error(&loader->list, name->value_location,
				"names that begin with weft_ are weft's own");
	task = wv_vec_push(&loader->aspect->tasks);
	if (!task) {
		loader->list.no_memory = true;
		return;
	}
	task->location = name ? name->value_location : node->location;
	task->name = wv_load_identifier(loader, node, "name", "");
	load_type(loader, node, &task->type);
}

void wv_load_tasks_room(struct wv_loader *loader, const struct wv_xml_node *root)
{
	loader->aspect->task_bits =
		wv_load_table_bits(loader, root, "tasks", ROOM_DEFAULT, ROOM_MAX);
}

static bool is_task(const struct wv_aspect *aspect, const char *name)
{
	wv_vec_for_each(task, &aspect->tasks)
		if (task->name && !strcmp(task->name, name))
			return true;
	return false;
}

void wv_check_tasks(struct wv_loader *loader, const struct wv_aspect_code *code)
{
	wv_vec_for_each(named, &code->tasks) {
		struct wv_suggestion suggestion = { .wanted = named->name };
		char text[512];

		if (is_task(loader->aspect, named->name))
			continue;
		wv_vec_for_each(task, &loader->aspect->tasks)
			if (task->name)
				wv_suggestion_offer(&suggestion, task->name);
		wv_report_error(&loader->list, named->location,
				"$task(%s): the aspect has no <task name=\"%s\"/>%s", named->name,
				named->name, wv_suggestion_text(&suggestion, text, sizeof(text)));
	}
}
