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

void wp_place_init(wp_place *place, location_t where)
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
