// SPDX-License-Identifier: GPL-2.0-or-later
/* Suggests similar names; see values-suggest.h. */
#include <elf.h>

#include "aspect/resolve/member-path.h"
#include "aspect/resolve/values-local.h"
#include "aspect/resolve/values-suggest.h"
#include "database/macro-member.h"
#include "image/symbols.h"

enum { MEMBERS_SHOWN = 5 };

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

static void offer_macro(void *suggestion, const char *name)
{
	wv_suggestion_offer(suggestion, name);
}

/* Offers the members of the struct that lacks a member, and the macros for members of it. */
static int suggest_member(struct wv_finder *finder, const struct wv_finding *finding,
			  struct wv_suggestion *suggestion)
{
	const struct wv_dies *dies = wv_scopes_dies(finder->scopes);
	struct wv_type type;
	int failed;

	suggestion->wanted = finding->lacking;
	failed = wv_type_each_member(dies, finding->structure, offer_member, suggestion,
				     finder->error);
	wv_type_describe(dies, finding->structure, &type);
	if (failed || !*wv_struct_name(&type))
		return failed;
	return wv_db_each_macro_member(finder->db, wv_struct_name(&type), offer_macro, suggestion,
				       finder->error);
}

struct shown {
	struct wv_str *out;
	size_t n;
};

static bool show_member(const char *name, const struct wv_type_member *member, void *context)
{
	struct shown *shown = context;

	wv_str_addf(shown->out, "%s%s", shown->n ? ", " : "; it has ",
		    shown->n < MEMBERS_SHOWN ? name : "...");
	return shown->n++ < MEMBERS_SHOWN;
}

int wv_list_members(struct wv_finder *finder, const struct wv_finding *finding,
		    struct wv_str *out)
{
	struct shown shown = { .out = out };

	if (!finding->structure)
		return 0;
	return wv_type_each_member(wv_scopes_dies(finder->scopes), finding->structure, show_member,
				   &shown, finder->error);
}

int wv_suggest(struct wv_finder *finder, const struct wv_reference *named,
	       const struct wv_finding *finding, struct wv_suggestion *suggestion)
{
	*suggestion = (struct wv_suggestion){ .wanted = named->name };
	switch (named->kind) {
	case WV_REFERENCE_LOCAL:
		wv_find_available(finder, offer_local, suggestion);
		return 0;
	case WV_REFERENCE_SYMBOL:
		return wv_image_each_symbol(finder->kernel, offer_symbol, suggestion,
					    finder->error);
	case WV_REFERENCE_FIELD:
		return suggest_member(finder, finding, suggestion);
	default:
		return 0;
	}
}
