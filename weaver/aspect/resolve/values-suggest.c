// SPDX-License-Identifier: GPL-2.0-or-later
/* Suggests names; see values-suggest.h. */
#include <elf.h>

#include "aspect/resolve/values-local.h"
#include "aspect/resolve/values-member.h"
#include "aspect/resolve/values-suggest.h"
#include "image/symbols.h"

static bool offer_member(const char *name, const struct wv_type_member *member, void *suggestion)
{
	wv_suggestion_offer(suggestion, name);
	return true;
}

static int offer_symbol(const struct wv_elf_symbol *symbol, void *suggestion,
			struct wv_error *error)
{
	if (symbol->type != STT_FILE && symbol->type != STT_SECTION)
		wv_suggestion_offer(suggestion, symbol->name);
	return 0;
}

static void offer_local(const char *name, void *suggestion)
{
	wv_suggestion_offer(suggestion, name);
}

int wv_suggest(struct wv_finder *finder, const struct wv_reference *named,
	       struct wv_suggestion *suggestion)
{
	uint64_t structure;
	int failed;

	*suggestion = (struct wv_suggestion){ .wanted = named->name };
	switch (named->kind) {
	case WV_REFERENCE_LOCAL:
		wv_find_available(finder, offer_local, suggestion);
		return 0;
	case WV_REFERENCE_SYMBOL:
		return wv_image_each_symbol(finder->kernel, offer_symbol, suggestion,
					    finder->error);
	case WV_REFERENCE_FIELD:
		failed = wv_find_structure(finder, &structure);
		return failed || !structure
			       ? failed
			       : wv_type_each_member(wv_scopes_dies(finder->scopes), structure,
						     offer_member, suggestion, finder->error);
	default:
		return 0;
	}
}
