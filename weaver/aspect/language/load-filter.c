// SPDX-License-Identifier: GPL-2.0-or-later
/* Whose hits advice is for: the attributes pid, comm and uid, each a value or several with '|' between. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "aspect/language/load-internal.h"
#include "aspect/language/metric-elements.h"

enum { COMM_BYTES = 15 /* TASK_COMM_LEN without the NUL */ };

void wv_who_destroy(struct wv_who *who)
{
	wv_vec_for_each(comm, &who->comms)
		free(*comm);
	wv_vec_deinit(&who->comms);
	wv_vec_deinit(&who->pids);
	wv_vec_deinit(&who->uids);
	free(who);
}

void wv_aspect_set_filtered(struct wv_aspect *aspect)
{
	aspect->filtered = true;
	wv_vec_for_each(metric, &aspect->metrics)
		(*metric)->guarded = true;
}

static void add_number(struct wv_loader *loader, const struct wv_xml_attribute *attribute, const char *text, size_t n,
		       uint32_t *ret)
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
		wv_complain(&loader->list, attribute->value_place,
			    "'%.*s' is not a number: %s is one, or several with '|' between", (int)n, text,
			    attribute->name);
}

static void add_comm(struct wv_loader *loader, const struct wv_xml_attribute *attribute, const char *text, size_t n,
		     char **ret)
{
	if (ret)
		*ret = strndup(text, n);
	if (!ret || !*ret)
		loader->list.no_memory = true;
	if (!n || n > COMM_BYTES)
		wv_complain(&loader->list, attribute->value_place,
			    "'%.*s': a comm has 1 to %d bytes, the kernel cuts the names of programs to that", (int)n,
			    text, COMM_BYTES);
}

/* Hands each of the attribute's values to what takes it. */
static void load_list(struct wv_loader *loader, const struct wv_xml_attribute *attribute, struct wv_who *who)
{
	const char *text = attribute->value;

	for (;; text++) {
		size_t n = strcspn(text, "|");

		if (!strcmp(attribute->name, "comm"))
			add_comm(loader, attribute, text, n, wv_vec_push(&who->comms));
		else if (!strcmp(attribute->name, "pid"))
			add_number(loader, attribute, text, n, wv_vec_push(&who->pids));
		else
			add_number(loader, attribute, text, n, wv_vec_push(&who->uids));
		text += n;
		if (!*text)
			return;
	}
}

const struct wv_who *wv_load_who(struct wv_loader *loader, const struct wv_xml_node *node)
{
	static const char *const names[] = { "pid", "comm", "uid" };
	struct wv_who *who = NULL, **slot;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const struct wv_xml_attribute *attribute = wv_load_attribute(node, names[i]);

		if (!attribute)
			continue;
		if (!who)
			who = calloc(1, sizeof(*who));
		if (!who) {
			loader->list.no_memory = true;
			return NULL;
		}
		load_list(loader, attribute, who);
	}
	slot = who ? wv_vec_push(&loader->aspect->whos) : NULL;
	if (who && !slot) {
		loader->list.no_memory = true;
		wv_who_destroy(who);
		return NULL;
	}
	if (slot)
		*slot = who;
	return who;
}
