// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds tracepoints by name; see tracepoint.h. */
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "metrics/tracepoint.h"

struct search {
	const char *name;
	struct tracepoint *found;
};

static void compare(struct tracepoint *tracepoint, void *context)
{
	struct search *search = context;

	if (!strcmp(tracepoint->name, search->name))
		search->found = tracepoint;
}

struct tracepoint *wk_tracepoint_find(const char *name)
{
	struct search search = { .name = name };

	for_each_kernel_tracepoint(compare, &search);
	return search.found;
}
