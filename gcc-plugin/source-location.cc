// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Locations as people read them. The heart is the walk through macro maps: a token that came out of
 * an expansion has a location in a map of that expansion, which leads to the next map towards its
 * spelling, until it reaches a file.
 */
#include "gcc-compat.h"
#include "joinpoints.h"

/*
 * File names come from line maps, where a file has one name at one address: the last one asked for
 * is the likely one.
 */
unsigned wp_file_name(const char *name)
{
	static const char *last_name;
	static unsigned last_string;

	if (!name)
		return 0;
	if (name != last_name) {
		last_name = name;
		last_string = wp_string(remap_debug_filename(name));
	}
	return last_string;
}

/*
 * The macro whose body spells the token, NULL for a token outside macros. A token that was an
 * argument is spelled outside macros, and gets the last macro that passed it on.
 */
static const char *macro_name(location_t where)
{
	const char *name = NULL;

	while (linemap_location_from_macro_expansion_p(line_table, where)) {
		const line_map_macro *map = linemap_check_macro(linemap_lookup(line_table, where));

		name = linemap_map_get_macro_name(map);
		where = linemap_macro_map_loc_unwind_toward_spelling(line_table, map, where);
	}
	return name;
}

void wp_source_location_init(wp_source_location *place, location_t where)
{
	expanded_location at = expand_location(where);
	const char *name = macro_name(where);

	memset(place, 0, sizeof(*place));
	place->file = wp_file_name(at.file);
	place->line = at.line;
	place->column = at.column > 0 ? at.column : 0;
	if (!name)
		return;
	at = expand_location_to_spelling_point(where);
	place->in_macro = true;
	place->macro = wp_string(name);
	place->spelling_file = wp_file_name(at.file);
	place->spelling_line = at.line;
	place->spelling_column = at.column > 0 ? at.column : 0;
}

static bool starts_with_operator(tree expression)
{
	location_t where = EXPR_LOCATION(expression);

	return wp_pure(get_range_from_loc(line_table, where).m_start) == wp_pure(where);
}

/*
 * The token or character right behind an object; or the given place if that is behind it, too.
 */
static location_t place_behind(tree object, location_t where)
{
	location_t last = wp_pure(get_range_from_loc(line_table, EXPR_LOCATION(object)).m_finish);

	if (EXPR_LOCATION(object) == UNKNOWN_LOCATION || starts_with_operator(object))
		return where;
	if (!linemap_location_from_macro_expansion_p(line_table, last)) {
		if (!linemap_location_from_macro_expansion_p(line_table, where) &&
		    wp_pure(where) > last)
			return where;
		return linemap_position_for_loc_and_offset(line_table, last, 1);
	}

	/* The tokens of an expansion are numbered one by one. */
	const line_map_macro *map = linemap_check_macro(linemap_lookup(line_table, last));
	location_t end = MAP_START_LOCATION(map) + MACRO_MAP_NUM_MACRO_TOKENS(map);

	return last + 1 >= end || (wp_pure(where) > last && wp_pure(where) < end) ? where
										  : last + 1;
}

/*
 * `*&p->m` and `(T)p->m` are p->m, and the front end gives it the place of the `*` or of the cast.
 * What the object has kept leads back: a pointer's dereference was given the `->`, and begins with
 * it, other than the one in `(*p).m`; levels without a name were given their member's place; and
 * the `.` of any other member follows its object.
 */
location_t wp_source_location_of_operator(tree reference)
{
	location_t where = EXPR_LOCATION(reference);
	tree object = TREE_OPERAND(reference, 0);

	if (where == UNKNOWN_LOCATION || !EXPR_HAS_LOCATION(object))
		return where;
	switch (TREE_CODE(object)) {
	case INDIRECT_REF:
		return starts_with_operator(object) ? EXPR_LOCATION(object) : where;
	case COMPONENT_REF:
		if (!DECL_NAME(TREE_OPERAND(object, 1)))
			return EXPR_LOCATION(object);
		return place_behind(object, where);
	case ARRAY_REF:
		return place_behind(object, where);
	default:
		return where;
	}
}
