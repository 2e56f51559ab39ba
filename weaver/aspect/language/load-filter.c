// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Loads filters: the attributes pid, comm and uid, each with one value or several separated by '|'.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "aspect/language/load-filter.h"

enum { COMM_BYTES = 15 /* TASK_COMM_LEN without the NUL */ };

static void add_number(struct wv_loader *loader, const struct wv_xml_attribute *attribute,
		       const char *text, size_t n, uint32_t *ret)
{
	unsigned long value;
	char *end;

	if (!ret) {
		loader->list.no_memory = true;
		return;
	}
	errno = 0;
	value = strtoul(text, &end, 10);
	*ret = value;
	if (!isdigit((unsigned char)*text) || end != text + n || errno || value > UINT32_MAX)
		wv_report_error(&loader->list, attribute->value_location,
				"'%.*s' is not a number: %s is one, or several with '|' between",
				(int)n, text, attribute->name);
}

static void add_comm(struct wv_loader *loader, const struct wv_xml_attribute *attribute,
		     const char *text, size_t n, char **ret)
{
	if (ret)
		*ret = strndup(text, n);
	if (!ret || !*ret)
		loader->list.no_memory = true;
	if (!n || n > COMM_BYTES)
		wv_report_error(&loader->list, attribute->value_location,
				"'%.*s': a comm has 1 to %d bytes, the kernel truncates the names "
				"of programs to that",
				(int)n, text, COMM_BYTES);
}

/*
 * Adds each of the attribute's values, which '|' separates, to the filter's list for this
 * attribute.
 */
static void load_list(struct wv_loader *loader, const struct wv_xml_attribute *attribute,
		      struct wv_hit_filter *filter)
{
	const char *text = attribute->value;

	for (;; text++) {
		size_t n = strcspn(text, "|");

		if (!strcmp(attribute->name, "comm"))
			add_comm(loader, attribute, text, n, wv_vec_push(&filter->comms));
		else if (!strcmp(attribute->name, "pid"))
			add_number(loader, attribute, text, n, wv_vec_push(&filter->pids));
		else
			add_number(loader, attribute, text, n, wv_vec_push(&filter->uids));
		text += n;
		if (!*text)
			return;
	}
}

/* Adds an empty filter to the aspect and returns it; NULL: out of memory. */
static struct wv_hit_filter *add_filter(struct wv_loader *loader)
{
	struct wv_hit_filter *filter = calloc(1, sizeof(*filter));
	struct wv_hit_filter **slot = filter ? wv_vec_push(&loader->aspect->filters) : NULL;

	if (!slot) {
		loader->list.no_memory = true;
		free(filter);
		return NULL;
	}
	return *slot = filter;
}

const struct wv_hit_filter *wv_load_hit_filter(struct wv_loader *loader,
					       const struct wv_xml_node *node)
{
	static const char *const names[] = { "pid", "comm", "uid" };
	struct wv_hit_filter *filter = NULL;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const struct wv_xml_attribute *attribute = wv_load_attribute(node, names[i]);

		if (!attribute)
			continue;
		if (!filter)
			filter = add_filter(loader);
		if (!filter)
			return NULL;
		load_list(loader, attribute, filter);
	}
	return filter;
}
