// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table of a unit for which no code is made (-fsyntax-only): the same table without labels, as
 * assembler text in the file that the argument "accesses" names. Only the optimizers know which
 * header functions would be in the object file. Here a header function is taken to be in it if the
 * unit's own functions and variables mention it, directly or through other functions.
 */
#include "gcc-compat.h"
#include "joinpoints.h"

/* The body of function @from mentions function @to. Both are DECL_UIDs. */
struct mention {
	unsigned from;
	unsigned to;
};

static vec<mention> mentions;
/* DECL_UIDs of the functions that are taken to be in the object file, as they were found */
static vec<unsigned> reached;
static wp_map is_reached;
static const char *accesses_file;

static void reach(unsigned uid)
{
	unsigned *at = wp_map_at(&is_reached, wp_key(uid, 0, 0));

	if (*at)
		return;
	*at = 1;
	reached.safe_push(uid);
}

/*
 * walk_tree() callback. @from: the DECL_UID of the function whose body is walked; NULL: a
 * variable's initializer is walked, and every function that it mentions counts.
 */
static tree note_mention(tree *at, int *walk_subtrees, void *from)
{
	if (TYPE_P(*at))
		*walk_subtrees = 0;
	if (TREE_CODE(*at) != FUNCTION_DECL)
		return NULL_TREE;
	if (from)
		mentions.safe_push({*(unsigned *)from, DECL_UID(*at)});
	else
		reach(DECL_UID(*at));
	return NULL_TREE;
}

/*
 * Notes which functions the body of a function mentions. Counts the function itself as in the
 * object file if it is not inline, or is in the unit's own file; inline functions of headers count
 * only if they are mentioned.
 */
void wp_syntax_only_function(void *tree_of_function, void *unused)
{
	tree function = (tree)tree_of_function;
	unsigned uid;

	if (!function || TREE_CODE(function) != FUNCTION_DECL || !DECL_SAVED_TREE(function))
		return;
	uid = DECL_UID(function);
	if (!DECL_DECLARED_INLINE_P(function) || wp_owners[wp_owner_of(function)].main_file)
		reach(uid);
	walk_tree_without_duplicates(&DECL_SAVED_TREE(function), note_mention, &uid);
}

void wp_syntax_only_variable(void *tree_of_decl, void *unused)
{
	tree decl = (tree)tree_of_decl;

	if (decl && VAR_P(decl) && DECL_FILE_SCOPE_P(decl) && DECL_INITIAL(decl))
		walk_tree_without_duplicates(&DECL_INITIAL(decl), note_mention, NULL);
}

static int compare_mentions(const void *left, const void *right)
{
	const mention *a = (const mention *)left;
	const mention *b = (const mention *)right;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return a->to < b->to ? -1 : a->to > b->to;
}

/* Marks every function that a function of `reached` mentions; `reached` grows on the way. */
static void follow_mentions(void)
{
	if (mentions.length())
		qsort(mentions.address(), mentions.length(), sizeof(mention), compare_mentions);
	for (unsigned i = 0; i < reached.length(); i++) {
		unsigned low = 0, high = mentions.length();

		while (low < high) {
			unsigned middle = low + (high - low) / 2;

			if (mentions[middle].from < reached[i])
				low = middle + 1;
			else
				high = middle;
		}
		for (; low < mentions.length() && mentions[low].from == reached[i]; low++)
			reach(mentions[low].to);
	}
}

void wp_syntax_only_finish(void *unused, void *data)
{
	FILE *output = asm_out_file;

	if (seen_error())
		return;
	follow_mentions();
	for (unsigned i = 0; i < wp_owners.length(); i++) {
		wp_owner *owner = &wp_owners[i];

		owner->emitted =
			owner->variable || wp_map_get(&is_reached, wp_key(owner->uid, 0, 0));
	}
	asm_out_file = fopen(accesses_file, "w");
	if (!asm_out_file)
		fatal_error(UNKNOWN_LOCATION, "%s: %m", accesses_file);
	wp_emit(unused, data);
	if (ferror(asm_out_file) | fclose(asm_out_file))
		fatal_error(UNKNOWN_LOCATION, "%s: %m", accesses_file);
	asm_out_file = output;
}

void wp_syntax_only_init(const char *name, const char *file)
{
	accesses_file = file;
	register_callback(name, PLUGIN_PRE_GENERICIZE, wp_syntax_only_function, NULL);
	register_callback(name, PLUGIN_FINISH_DECL, wp_syntax_only_variable, NULL);
	/* GCC does not call PLUGIN_FINISH_UNIT for a unit without code. */
	register_callback(name, PLUGIN_FINISH, wp_syntax_only_finish, NULL);
}
