// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Each look at a function (wp_seen_begin()) has a number. An access was there at the start of the
 * inter-procedural passes if the last look at its function before these passes has seen it.
 */
#include "gcc-compat.h"
#include "fate-seen.h"

/*
 * A statement whose access is unknown may do each access that is at most so many lines before or
 * after it.
 */
#define LINES 3

static unsigned look; /* number of the current look */
/* 1 + DECL_UID of a function -> number of its last look before these passes */
static struct wp_map last_looks;
/* access -> number of the last look that has seen it, before and after these passes */
static struct wp_map before, after;
/* set of keys of file and line: after these passes, statements there do unknown accesses */
static struct wp_map unknown;

/* Whether GCC compiles function after function, when the inter-procedural passes are over. */
static bool is_after(void)
{
	return symtab->state >= EXPANSION;
}

void wp_seen_begin(void)
{
	look++;
	if (!is_after())
		*wp_map_at(&last_looks, DECL_UID(current_function_decl) + 1ULL) = look;
}

static void see(unsigned access)
{
	for (; access; access = wp_accesses[access].whole)
		*wp_map_at(is_after() ? &after : &before, access) = look;
}

void wp_seen(unsigned access)
{
	/*
	 * Code that was inlined before these passes is not counted: the look at its own function
	 * has counted it.
	 */
	if (!access || (!is_after() && wp_owners[wp_accesses[access].owner].uid !=
					       DECL_UID(current_function_decl)))
		return;
	for (; access; access = wp_accesses[access].also)
		see(access);
}

static uint64_t line_key(expanded_location at, int line)
{
	return wp_key((uintptr_t)at.file, line, 1);
}

static void mark_unknown(location_t where)
{
	expanded_location at = expand_location(where);

	*wp_map_at(&unknown, line_key(at, at.line)) = 1;
}

void wp_seen_unknown(gimple *statement, tree reference)
{
	if (!is_after())
		return;
	mark_unknown(gimple_location(statement));
	if (EXPR_HAS_LOCATION(reference))
		mark_unknown(EXPR_LOCATION(reference));
}

static bool may_be_unknown(location_t where)
{
	expanded_location at = expand_location(where);

	for (int line = at.line - LINES; line <= at.line + LINES; line++) {
		if (wp_map_get(&unknown, line_key(at, line)))
			return true;
	}
	return false;
}

bool wp_seen_dropped(unsigned access)
{
	unsigned uid = wp_owners[wp_accesses[access].owner].uid;
	unsigned seen = wp_map_get(&before, access);

	return seen && seen == wp_map_get(&last_looks, uid + 1ULL) && !wp_map_get(&after, access) &&
	       !may_be_unknown(wp_accesses[access].where);
}
