// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the functions whose source is in the object. A unit sees thousands of header functions and
 * emits few; the accesses of the others are left out of the table. A function counts if it is
 * emitted, or if the scopes (BLOCKs) of an emitted function show that it was inlined there.
 */
#include "gcc-compat.h"
#include "joinpoints.h"
#include "lowered.h"

/* DECL_UIDs of functions in whose place GCC uses an identical function. */
static struct wp_map replaced;

static void note_replaced(cgraph_node *node, void *data)
{
	if (node->icf_merged)
		*wp_map_at(&replaced, DECL_UID(node->decl) + 1) = 1;
}

void wp_watch_replaced(void *unused, void *data)
{
	symtab->add_cgraph_removal_hook(note_replaced, NULL);
}

bool wp_is_replaced(unsigned uid)
{
	return wp_map_get(&replaced, uid + 1);
}

void wp_find_replaced(void)
{
	cgraph_node *node;

	FOR_EACH_FUNCTION(node)
		note_replaced(node, NULL);
}

static void mark_scopes(tree block)
{
	for (; block; block = BLOCK_CHAIN(block)) {
		if (inlined_function_outer_scope_p(block)) {
			tree origin = block_ultimate_origin(block);

			if (origin && TREE_CODE(origin) == FUNCTION_DECL)
				wp_owner_set_emitted(DECL_ORIGIN(origin));
		}
		mark_scopes(BLOCK_SUBBLOCKS(block));
	}
}

void wp_mark_function_emitted(tree function)
{
	/*
	 * A clone (constant propagation, a split part) has the source of the function it was made
	 * from.
	 */
	wp_owner_set_emitted(DECL_ORIGIN(function));
	if (DECL_INITIAL(function) && TREE_CODE(DECL_INITIAL(function)) == BLOCK)
		mark_scopes(DECL_INITIAL(function));
}

void wp_mark_inlined_emitted(void *unused, void *data)
{
	cgraph_node *node;

	FOR_EACH_FUNCTION(node)
	{
		if (node->inlined_to)
			wp_owner_set_emitted(DECL_ORIGIN(node->decl));
		wp_isra_note_changed(node);
	}
}

void wp_mark_variables_emitted(void)
{
	varpool_node *node;

	FOR_EACH_VARIABLE(node)
	{
		if (TREE_ASM_WRITTEN(node->decl))
			wp_owner_set_emitted(node->decl);
	}
}
