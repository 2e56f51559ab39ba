// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Resolves the names in <ref>s when all pointcuts are loaded. Checks that each pointcut picks
 * something, and does not refer to itself.
 */
#include <string.h>

#include "aspect/language/load-refs.h"
#include "runtime/joinpoint-table.h"
#include "base/suggest.h"
#include "database/pointcut-kinds.h"

static bool find_pointcut(struct wv_loader *loader, const char *name, size_t *ret)
{
	wv_vec_for_each(pointcut, &loader->aspect->pointcuts) {
		if (!pointcut->name || strcmp(pointcut->name, name))
			continue;
		*ret = pointcut - loader->aspect->pointcuts.data;
		return true;
	}
	return false;
}

bool wv_load_find(struct wv_loader *loader, const char *name, struct wv_text_location location,
		  size_t *ret)
{
	struct wv_suggestion suggestion = { .wanted = name };
	char text[512];

	if (find_pointcut(loader, name, ret))
		return true;
	wv_vec_for_each(pointcut, &loader->aspect->pointcuts)
		if (pointcut->name)
			wv_suggestion_offer(&suggestion, pointcut->name);
	wv_report_error(&loader->list, location, "there is no pointcut '%s'%s", name,
		    wv_suggestion_text(&suggestion, text, sizeof(text)));
	return false;
}

static void refer(struct wv_loader *loader, const struct wv_pick *pick)
{
	struct wv_aspect_pointcut *meant = &loader->aspect->pointcuts.data[pick->index];

	meant->referred = true;
	if (meant->flows.n || meant->tagged.n)
		wv_report_error(
			&loader->list, pick->name_location,
			"pointcut '%s' has %s, which a <ref> does not take along: name "
			"a pointcut without it, and put %s beside the <ref>", pick->name,
			meant->flows.n ? "a <cflow>" : "an <xflow>",
			meant->flows.n ? "the <cflow>" : "the <xflow>");
}

/* Finds the pointcuts of all <ref>s in @pick. @must_pick: also reports @pick if it only filters. */
static void resolve(struct wv_loader *loader, struct wv_pick *pick, bool must_pick)
{
	bool is_or = pick->type == WV_PICK_OR;

	if (pick->type == WV_PICK_REF && pick->name &&
	    wv_load_find(loader, pick->name, pick->name_location, &pick->index))
		refer(loader, pick);
	if (must_pick && pick->type == WV_PICK_WITHIN)
		wv_report_error(&loader->list, pick->location,
			    "<within> picks nothing by itself: "
			    "it stands in an <and>, beside what does");
	if (must_pick && pick->type == WV_PICK_AND && pick->parts.n && !wv_pick_picks(pick))
		wv_report_error(&loader->list, pick->location,
			    "nothing in this <and> picks joinpoints: <within> and <not> only "
			    "narrow what another element of it picks");
	wv_vec_for_each(part, &pick->parts)
		resolve(loader, *part, must_pick && is_or);
}

static void follow(struct wv_loader *loader, struct wv_aspect_pointcut *pointcut);

static unsigned int leaf_may_pick(const struct wv_pointcut *pointcut)
{
	switch (wv_pointcut_kind(pointcut->type)->picks) {
	case WV_PICKS_ACCESSES:
		return (pointcut->kinds & ~WV_KIND_BIT(WEFT_KIND_CALL) ? WV_MAY_OTHER : 0) |
		       (pointcut->kinds & WV_KIND_BIT(WEFT_KIND_CALL) ? WV_MAY_CALL : 0);
	case WV_PICKS_EXITS:
		return WV_MAY_OTHER | WV_MAY_EXIT;
	case WV_PICKS_TRACEPOINTS:
		return WV_MAY_OTHER | WV_MAY_TRACEPOINT;
	case WV_PICKS_ENTRIES: /* the arguments of an inlined instance may be anywhere */
		return pointcut->only_inlined ? WV_MAY_OTHER : WV_MAY_CALL | WV_MAY_ENTRY;
	case WV_PICKS_CALLS:
		return WV_MAY_CALL;
	case WV_PICKS_BLOCKS:
	case WV_PICKS_INSTRUCTIONS:
		break;
	}
	return WV_MAY_OTHER | WV_MAY_CALL;
}

/*
 * Returns the kinds of joinpoints that @pick may pick (WV_MAY_*), including those that the
 * pointcuts in its <ref>s may pick.
 */
static unsigned int may_pick(struct wv_loader *loader, const struct wv_pick *pick)
{
	struct wv_aspect_pointcut *meant;
	unsigned int any = 0;

	switch (pick->type) {
	case WV_PICK_POINTCUT:
		return leaf_may_pick(&pick->pointcut);
	case WV_PICK_REF:
		meant = &loader->aspect->pointcuts.data[pick->index];
		if (meant->state == WV_REF_OPEN)
			wv_report_error(&loader->list, pick->location,
				    "pointcut '%s' is made of itself: this <ref> leads back to it",
				    meant->name);
		follow(loader, meant);
		return meant->may_pick;
	case WV_PICK_AND:
	case WV_PICK_OR:
	case WV_PICK_NOT:
		wv_vec_for_each(part, &pick->parts)
			any |= may_pick(loader, *part);
		return pick->type == WV_PICK_NOT ? 0 : any;
	case WV_PICK_WITHIN:
		break;
	}
	return 0;
}

/* Sets .may_pick of @pointcut, unless it is set already: several <ref>s may name the pointcut. */
static void follow(struct wv_loader *loader, struct wv_aspect_pointcut *pointcut)
{
	if (pointcut->state != WV_REF_NEW)
		return;
	pointcut->state = WV_REF_OPEN;
	if (pointcut->pick)
		pointcut->may_pick = may_pick(loader, pointcut->pick);
	pointcut->state = WV_REF_DONE;
}

void wv_load_resolve(struct wv_loader *loader)
{
	wv_vec_for_each(pointcut, &loader->aspect->pointcuts) {
		bool asks = pointcut->flows.n || pointcut->tagged.n;

		if (pointcut->pick && asks && !pointcut->pick->parts.n)
			wv_report_error(&loader->list, pointcut->pick->location,
				    "nothing in this <and> picks joinpoints: <%s> only narrows "
				    "what another element of it picks",
				    pointcut->flows.n ? "cflow" : "xflow");
		if (pointcut->pick)
			resolve(loader, pointcut->pick, pointcut->pick->type != WV_PICK_WITHIN);
	}
	if (loader->list.errors.list.n)
		return; /* a name that was not found has no index */
	wv_vec_for_each(pointcut, &loader->aspect->pointcuts)
		follow(loader, pointcut);
}
