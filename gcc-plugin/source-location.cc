// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * File, line and column of locations. A token from a macro expansion has a location in the line map
 * of that expansion. It is followed from map to map to where the token is spelled in a file.
 */
#include "gcc-compat.h"
#include "joinpoints.h"

/*
 * GCC keeps one string for each file's name, so equal addresses are equal names: the last result is
 * cached by address.
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
 * The macro whose body contains the token; NULL for a token outside macros. A token of a macro's
 * argument gets the macro that it is an argument of: of nested macros, the one whose call spells
 * it.
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

void wp_source_location_init(wp_source_location *location, location_t where)
{
	expanded_location at = expand_location(where);
	const char *name = macro_name(where);

	memset(location, 0, sizeof(*location));
	location->file = wp_file_name(at.file);
	location->line = at.line;
	location->column = at.column > 0 ? at.column : 0;
	if (!name)
		return;
	at = expand_location_to_spelling_point(where);
	location->in_macro = true;
	location->macro = wp_string(name);
	location->spelling_file = wp_file_name(at.file);
	location->spelling_line = at.line;
	location->spelling_column = at.column > 0 ? at.column : 0;
}

static bool starts_with_operator(tree expression)
{
	location_t where = EXPR_LOCATION(expression);

	return wp_pure(get_range_from_loc(line_table, where).m_start) == wp_pure(where);
}

/*
 * Whether an operator is right after the object that ends at @last, before the one at @where: in
 * `(&p->a.b)->c`, p->a.b has got the location of the second `->`.
 */
static bool is_followed_by_operator(location_t last, location_t where)
{
	location_t next = linemap_position_for_loc_and_offset(line_table, last, 1);

	return next != wp_pure(where) && wp_spelled_operator(next);
}

/*
 * The location of the token or character right after @object; @where if that is after @object
 * already.
 */
static location_t location_after(tree object, location_t where)
{
	location_t last = wp_pure(get_range_from_loc(line_table, EXPR_LOCATION(object)).m_finish);

	if (EXPR_LOCATION(object) == UNKNOWN_LOCATION)
		return where;
	/* `(&p->a)->b` is folded to p->a.b, and p->a then has the location of the second `->`. */
	if (starts_with_operator(object))
		return wp_spelled_operator(wp_pure(EXPR_LOCATION(object)))
			       ? EXPR_LOCATION(object) : where;
	if (!linemap_location_from_macro_expansion_p(line_table, last)) {
		if (!linemap_location_from_macro_expansion_p(line_table, where) &&
		    wp_pure(where) > last && !is_followed_by_operator(last, where))
			return where;
		return linemap_position_for_loc_and_offset(line_table, last, 1);
	}

	/*
	 * In a macro's expansion, locations of tokens are consecutive: the next token has last + 1.
	 */
	const line_map_macro *map = linemap_check_macro(linemap_lookup(line_table, last));
	location_t end = MAP_START_LOCATION(map) + MACRO_MAP_NUM_MACRO_TOKENS(map);

	if (last + 1 < end && wp_pure(where) != last + 1 && wp_spelled_operator(last + 1))
		return last + 1;
	return last + 1 >= end || (wp_pure(where) > last && wp_pure(where) < end) ? where
										  : last + 1;
}

/*
 * Returns the location of the `->` or `.` of @reference. The reference's own location will not do:
 * the front end folds `*&p->m` and `(T)p->m` to p->m, with the location of the `*` or the cast. So
 * the location is found from the object. If the object is a dereference that was written as `->`,
 * its location is that of the `->`. After every other object, as in `(*p).m`, the `.` comes next. A
 * reference to an anonymous member is an exception: it has the location of the named member inside.
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
		return location_after(object, where);
	case ARRAY_REF:
		return location_after(object, where);
	default:
		return where;
	}
}
