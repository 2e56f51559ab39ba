// SPDX-License-Identifier: GPL-2.0-or-later
/* What somebody may have meant who names a variable, member or symbol that is not there. */
#include <elf.h>

#include "aspect/resolve/values-internal.h"
#include "image/dwarf/types.h"

static bool offer_member(const char *name, const struct wv_type_member *member, void *near)
{
	wv_near_offer(near, name);
	return true;
}

static int offer_symbol(const struct wv_elf_symbol *symbol, void *near, struct wv_error *error)
{
	if (symbol->type != STT_FILE && symbol->type != STT_SECTION)
		wv_near_offer(near, symbol->name);
	return 0;
}

static void offer_local(const char *name, void *near)
{
	wv_near_offer(near, name);
}

int wv_find_near(struct wv_finder *finder, const struct wv_named *named, struct wv_near *near)
{
	uint64_t structure;
	int failed;

	*near = (struct wv_near){ .wanted = named->name };
	switch (named->kind) {
	case WV_NAMED_LOCAL:
		return wv_find_available(finder, offer_local, near);
	case WV_NAMED_SYMBOL:
		return wv_image_each_symbol(finder->image, offer_symbol, near, finder->error);
	case WV_NAMED_FIELD:
		failed = wv_find_structure(finder, &structure);
		return failed || !structure ? failed :
					      wv_type_each_member(wv_scopes_dies(finder->scopes), structure,
								  offer_member, near, finder->error);
	default:
		return 0;
	}
}
