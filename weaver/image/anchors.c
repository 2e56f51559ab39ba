// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds symbols whose name no other symbol of their image has; see anchors.h. */
#include <stdlib.h>
#include <string.h>

#include "image/anchors.h"

static int collect(const struct wv_elf_symbol *symbol, void *context, struct wv_error *error)
{
	struct wv_anchors *anchors = context;
	const char **slot = wv_vec_push(&anchors->names);

	if (!slot)
		return wv_no_memory(error);
	*slot = symbol->name;
	return 0;
}

static int compare(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

int wv_anchors_init(struct wv_anchors *anchors, struct wv_image *image, struct wv_error *error)
{
	int ret;

	memset(anchors, 0, sizeof(*anchors));
	ret = wv_image_each_symbol(image, collect, anchors, error);
	if (ret)
		wv_anchors_deinit(anchors);
	else if (anchors->names.n)
		qsort(anchors->names.data, anchors->names.n, sizeof(*anchors->names.data), compare);
	return ret;
}

void wv_anchors_deinit(struct wv_anchors *anchors)
{
	wv_vec_deinit(&anchors->names);
}

static bool is_unique(const struct wv_anchors *anchors, const char *name)
{
	const char **first = anchors->names.data, **last = first + anchors->names.n;
	const char **found = bsearch(&name, first, anchors->names.n, sizeof(*first), compare);

	return found && (found == first || strcmp(found[-1], name)) &&
	       (found + 1 == last || strcmp(found[1], name));
}

const struct wv_symbol *wv_anchors_of(const struct wv_anchors *anchors,
				      const struct wv_symbols *symbols,
				      const struct wv_section *section)
{
	const struct wv_symbol *label = NULL;

	for (size_t i = wv_symbols_from(symbols, section->address); i < symbols->list.n; i++) {
		const struct wv_symbol *symbol = &symbols->list.data[i];

		if (symbol->address - section->address >= section->size)
			break;
		if (!is_unique(anchors, symbol->name))
			continue;
		if (!symbol->label)
			return symbol;
		if (!label)
			label = symbol;
	}
	return label;
}
