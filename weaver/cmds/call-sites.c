// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the calls that functions make; see call-sites.h. */
#include <stdlib.h>
#include <string.h>

#include "aspect/oneliner/drill-aspect.h"
#include "aspect/resolve/after.h"
#include "cmds/call-sites.h"
#include "database/within.h"

struct wv_call_sites {
	struct wv_db *db;
	struct wv_function_ranges *ranges;
	struct wv_afters afters;
	WV_VEC(struct wv_drill_into) into;
	/* the strings and matches to which .into has pointers */
	WV_VEC(struct wv_matches) matches;
	WV_VEC(char *) names;
};

int wv_call_sites_create(const char *db, struct wv_call_sites **ret, struct wv_error *error)
{
	struct wv_call_sites *sites = calloc(1, sizeof(*sites));
	int failed = sites ? wv_db_open(db, &sites->db, error) : wv_no_memory(error);

	if (!failed)
		failed = wv_function_ranges_create(sites->db, &sites->ranges, error);
	if (!failed)
		failed = wv_afters_init(&sites->afters, sites->db, sites->ranges, error);
	if (failed)
		wv_call_sites_destroy(sites);
	else
		*ret = sites;
	return failed;
}

void wv_call_sites_destroy(struct wv_call_sites *sites)
{
	if (!sites)
		return;
	wv_vec_for_each(into, &sites->into)
		wv_vec_deinit(&into->sites);
	wv_vec_for_each(matches, &sites->matches)
		wv_matches_deinit(matches);
	wv_vec_for_each(name, &sites->names)
		free(*name);
	wv_vec_deinit(&sites->into);
	wv_vec_deinit(&sites->matches);
	wv_vec_deinit(&sites->names);
	wv_afters_deinit(&sites->afters);
	wv_function_ranges_destroy(sites->ranges);
	wv_db_close(sites->db);
	free(sites);
}

const struct wv_drill_into *wv_call_sites_list(const struct wv_call_sites *sites, size_t *n_ret)
{
	*n_ret = sites->into.n;
	return sites->into.data;
}

/* Returns a copy of @name, which belongs to @sites. NULL: out of memory. */
static const char *keep(struct wv_call_sites *sites, const char *name)
{
	char **slot = wv_vec_push(&sites->names);

	if (!slot)
		return NULL;
	*slot = strdup(name);
	return *slot;
}

/* ---- adding one call ------------------------------------------------------------------------- */

static int note_refusal(void *context, const struct wv_after *after, struct wv_error *error)
{
	*(enum weft_refusal *)context = after->refusal;
	return 0;
}

/*
 * Returns whether @name is a retpoline thunk. With retpolines, a call through a pointer is a direct
 * call of a thunk.
 */
static bool is_thunk(const char *name)
{
	static const char thunk[] = "__x86_indirect_";

	return !strncmp(name, thunk, sizeof(thunk) - 1);
}

/*
 * Returns whether the call is written in the source of the function whose code contains the call.
 * Returns false if the call is written in another function, which was inlined. A function's symbol
 * may have a suffix from GCC, such as ".isra.0", which the name in the source does not have.
 */
static bool is_own(const struct wv_match *match)
{
	const size_t n = strlen(match->function);

	return !strncmp(match->symbol, match->function, n) &&
	       (!match->symbol[n] || match->symbol[n] == '.');
}

static int add_site(struct wv_call_sites *sites, const struct wv_pointcut *by,
		    const struct wv_match *match, struct wv_drill_into *into,
		    struct wv_error *error)
{
	struct wv_drill_site *site = wv_vec_push(&into->sites);
	struct wv_insn insn = { 0 };
	uint64_t distance;
	const char *to = NULL;

	if (!site)
		return wv_no_memory(error);
	wv_decode(sites->afters.decoder, match->bytes, match->nr_bytes, match->address, &insn);
	*site = (struct wv_drill_site){
		.symbol = match->symbol, .offset = match->symbol_offset, .length = insn.length,
		.inlined = match->function && !is_own(match) ? match->function : NULL,
		.file = match->file, .line = match->line,
		.cold = wv_drill_is_dotted(into->name) && strcmp(into->name, match->symbol),
	};
	if (insn.direct)
		to = wv_db_symbol_at(sites->db, insn.target, &distance);
	if (to && !is_thunk(to)) {
		site->to = keep(sites, to);
		if (!site->to)
			return wv_no_memory(error);
	}
	return wv_afters_find(&sites->afters, by, match, note_refusal, &site->refusal, error);
}

/* ---- adding the calls of one function -------------------------------------------------------- */

/* Checks that the vmlinux has exactly one function @name. Returns -WV_E_NO_MATCH if not. */
static int check_name(struct wv_call_sites *sites, const char *name, struct wv_error *error)
{
	const struct wv_pointcut entry = { .type = WV_POINTCUT_ENTRY, .symbol = (char *)name,
					   .module = (char *)WV_VMLINUX };
	struct wv_matches matches;
	int failed = wv_db_query(sites->db, &entry, &matches, error);
	size_t n;

	if (failed)
		return failed;
	n = matches.list.n;
	wv_matches_deinit(&matches);
	if (n == 1)
		return 0;
	return wv_fail(error, WV_E_NO_MATCH, n ? "several functions have the name %s" :
						 "%s has no code of its own", name);
}

static int fill(struct wv_call_sites *sites, const struct wv_pointcut *calls,
		const struct wv_matches *matches, struct wv_drill_into *into,
		struct wv_error *error)
{
	size_t timed = 0;
	int failed = 0;

	wv_vec_for_each(match, &matches->list)
		if (!failed)
			failed = add_site(sites, calls, match, into, error);
	if (failed)
		return failed;
	wv_vec_for_each(site, &into->sites)
		timed += site->refusal == WEFT_REFUSAL_NONE && !site->cold;
	return timed ? 0 : wv_fail(error, WV_E_NO_MATCH, "no call that %s makes can be timed",
				   into->name);
}

int wv_call_sites_add(struct wv_call_sites *sites, const char *name, struct wv_error *error)
{
	const struct wv_pointcut calls = { .type = WV_POINTCUT_CALLS, .symbol = (char *)name,
					   .module = (char *)WV_VMLINUX };
	struct wv_drill_into into = { .name = keep(sites, name) };
	struct wv_matches *matches = wv_vec_push(&sites->matches);
	struct wv_drill_into *slot;
	int failed = !into.name || !matches ? wv_no_memory(error) : check_name(sites, name, error);

	if (matches)
		*matches = (struct wv_matches){ 0 };
	if (!failed)
		failed = wv_db_query(sites->db, &calls, matches, error);
	if (!failed)
		failed = fill(sites, &calls, matches, &into, error);
	slot = failed ? NULL : wv_vec_push(&sites->into);
	if (slot)
		*slot = into;
	else
		wv_vec_deinit(&into.sites);
	return failed || slot ? failed : wv_no_memory(error);
}

/* ---- noting what the kernel refuses ---------------------------------------------------------- */

/*
 * Returns whether the shadow at @offset of @symbol is the call @site, or the instruction to which
 * this call returns.
 */
static bool is_of(const struct wv_drill_site *site, const char *symbol, uint32_t offset)
{
	return (offset == site->offset || offset == site->offset + site->length) &&
	       !strcmp(site->symbol, symbol);
}

void wv_call_sites_refused(struct wv_call_sites *sites, const struct wv_aspect_module *module,
			   const struct wv_summary *summary)
{
	wv_vec_for_each(splice, &summary->refused.splices) {
		const struct weft_joinpoint *joinpoint = &module->joinpoints[splice->joinpoint];
		const char *symbol = wv_aspect_module_string(module, joinpoint->symbol);

		wv_vec_for_each(into, &sites->into)
			wv_vec_for_each(site, &into->sites)
				if (site->refusal == WEFT_REFUSAL_NONE &&
				    is_of(site, symbol, joinpoint->symbol_offset))
					site->refusal = splice->refusal;
	}
}
