// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Accesses that are in the source of a function and not in its first GIMPLE: the front end has seen
 * that nothing needs them, as in `do { (void)&p->a->lock; } while (0)`, which reads a. They are
 * dead.
 *
 * The front end also merges accesses into one reference to several members, which names none of
 * them. So an access is dead only if near its line there is neither such a reference nor one to its
 * member.
 */
#include "gcc-compat.h"
#include "fate.h"

/*
 * A reference at most so many lines before or after an access may be the one that does the access.
 */
#define LINES 3

/* The references in the function's first GIMPLE: */
static struct wp_map mentioned; /* set of keys of a member's DECL_UID and a line; line 0: unknown */
static struct wp_map unnamed; /* set of 1 + the lines of the references that may be of any member */

static uint64_t member_key(unsigned uid, int line)
{
	return wp_key(uid, line, 1);
}

static void mention(tree field, location_t where)
{
	*wp_map_at(&mentioned, member_key(DECL_UID(field), LOCATION_LINE(where))) = 1;
}

static void mention_unnamed(location_t where)
{
	*wp_map_at(&unnamed, 1 + LOCATION_LINE(where)) = 1;
}

/*
 * walk_gimple_op() callback, for each operand and each tree in it: notes the member to which it
 * refers.
 */
static tree look_at(tree *operand, int *walk_subtrees, void *data)
{
	walk_stmt_info *info = (walk_stmt_info *)data;
	location_t where = gimple_location((gimple *)info->info);
	tree it = *operand;

	if (TREE_CODE(it) == COMPONENT_REF) {
		mention(TREE_OPERAND(it, 1), EXPR_LOCATION(it));
		mention(TREE_OPERAND(it, 1), where);
	} else if (TREE_CODE(it) == BIT_FIELD_REF || TREE_CODE(it) == VIEW_CONVERT_EXPR ||
		   (TREE_CODE(it) == MEM_REF && !integer_zerop(TREE_OPERAND(it, 1)))) {
		mention_unnamed(where);
		if (EXPR_HAS_LOCATION(it))
			mention_unnamed(EXPR_LOCATION(it));
	}
	return NULL_TREE;
}

static bool is_in_body(const wp_access *access)
{
	int line = LOCATION_LINE(access->where);

	if (!line || wp_map_get(&mentioned, member_key(access->member_uid, 0)))
		return true;
	for (int i = line - LINES; i <= line + LINES; i++) {
		if (wp_map_get(&mentioned, member_key(access->member_uid, i)) ||
		    wp_map_get(&unnamed, 1 + i))
			return true;
	}
	return false;
}

void wp_fate_body(void)
{
	const wp_owner *owner = &wp_owners[wp_owner_known(current_function_decl)
						   ? wp_owner_of(current_function_decl) : 0];
	unsigned end = MIN(owner->first_access + owner->access_count, wp_accesses.length());
	gimple_seq body = gimple_body(current_function_decl);

	if (!owner->access_count)
		return;
	wp_map_clear(&mentioned);
	wp_map_clear(&unnamed);
	for (gimple_stmt_iterator i = gsi_start(body); !gsi_end_p(i); gsi_next(&i)) {
		walk_stmt_info info = {};

		info.info = gsi_stmt(i);
		walk_gimple_op(gsi_stmt(i), look_at, &info);
	}
	for (unsigned i = owner->first_access; i < end; i++) {
		const wp_access *it = &wp_accesses[i];
		wp_fact fact = { i, 0, WEFT_FATE_DEAD, 0, 0, false, false, 0, 0 };

		if (it->owner == wp_owner_of(current_function_decl) &&
		    it->kind != WEFT_KIND_ADDRESS && it->kind != WEFT_KIND_INIT &&
		    !is_in_body(it))
			wp_fact_add(current_function_decl, &fact);
	}
}
