// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Keeps the accesses of rewritten references. While GIMPLE passes run, they are entered under keys
 * that later passes do not change: the name that a load defines, or the statement's location
 * together with the size and offset of the reference. After the last GIMPLE pass they are entered
 * by the reference's address, since expansion makes that very tree the operand's MEM_EXPR.
 */
#include "gcc-compat.h"
#include "lowered.h"
#include "reference.h"

#define AMBIGUOUS UINT_MAX

/* The maximum number of steps from a pointer to the pointer that it was made of. */
#define STEPS_MAX 16

/* An element of the list of accesses that one reference does. */
struct noted_link {
	unsigned access;
	unsigned next; /* index in links; 0 ends the list */
};

static vec<noted_link> links;
static struct wp_map by_name, by_shape; /* name, or shape -> index in links, or AMBIGUOUS */
static struct wp_map by_statement;	/* statement and shape -> index in links */
static struct wp_map certain_by_tree;	/* MEM_EXPR and role -> index in links */
static struct wp_map likely_by_tree;	/* MEM_EXPR and role -> access */

void wp_lowered_clear(void)
{
	noted_link none = {};

	links.truncate(0);
	links.safe_push(none);
	wp_map_clear(&by_name);
	wp_map_clear(&by_shape);
	wp_map_clear(&by_statement);
	wp_map_clear(&certain_by_tree);
	wp_map_clear(&likely_by_tree);
}

unsigned wp_lowered_count(void)
{
	return links.length();
}

tree wp_memory_of(gimple *statement, enum weft_access_effect *effect_ret)
{
	if (!gimple_assign_single_p(statement) || !gimple_vuse(statement))
		return NULL_TREE;
	tree left = gimple_assign_lhs(statement), right = gimple_assign_rhs1(statement);

	if (gimple_vdef(statement)) {
		*effect_ret = WEFT_EFFECT_STORE;
		return REFERENCE_CLASS_P(left) && !gimple_clobber_p(statement) ? left : NULL_TREE;
	}
	*effect_ret = WEFT_EFFECT_LOAD;
	return REFERENCE_CLASS_P(right) ? right : NULL_TREE;
}

/*
 * The key of the name that a load defines; 0: it defines none. GCC reuses names that have become
 * free, so the location is part of the key.
 */
static uint64_t name_key(gimple *statement)
{
	tree left = gimple_assign_lhs(statement);

	return TREE_CODE(left) == SSA_NAME
		       ? wp_key(SSA_NAME_VERSION(left), gimple_location(statement),
				TYPE_UID(TREE_TYPE(left)))
		       : 0;
}

/*
 * The offset of a reference from the first pointer that its own pointer was made of: later passes
 * move parts of the offset into other pointers, or back.
 */
static HOST_WIDE_INT offset_of(tree reference)
{
	if (TREE_CODE(reference) == TARGET_MEM_REF)
		return TREE_INT_CST_LOW(TMR_OFFSET(reference));
	HOST_WIDE_INT bytes = TREE_INT_CST_LOW(TREE_OPERAND(reference, 1));
	tree pointer = TREE_OPERAND(reference, 0);

	for (unsigned i = 0; i < STEPS_MAX && pointer; i++)
		pointer = wp_pointer_before(pointer, &bytes);
	return bytes;
}

static uint64_t shape_at(location_t where, tree reference, enum weft_access_effect effect)
{
	tree size = TYPE_SIZE(TREE_TYPE(reference));

	if (!size || TREE_CODE(size) != INTEGER_CST ||
	    (TREE_CODE(reference) != MEM_REF && TREE_CODE(reference) != TARGET_MEM_REF) ||
	    where == UNKNOWN_LOCATION)
		return 0;
	return wp_key(where, TREE_INT_CST_LOW(size) << 1 | (effect == WEFT_EFFECT_STORE),
		      offset_of(reference));
}

static uint64_t shape_key(gimple *statement, tree reference, enum weft_access_effect effect)
{
	return shape_at(gimple_location(statement), reference, effect);
}

/*
 * The key of the statement itself. The shape is part of it, since the memory of a removed statement
 * may have been given to another one. The location is without its block, which may have been
 * removed.
 */
static uint64_t statement_key(gimple *statement, tree reference, enum weft_access_effect effect)
{
	return wp_key((uintptr_t)statement,
		      shape_at(wp_pure(gimple_location(statement)), reference, effect), 0);
}

static bool has(unsigned list, unsigned access)
{
	for (; list; list = links[list].next) {
		if (links[list].access == access)
			return true;
	}
	return false;
}

static unsigned longer(unsigned list, unsigned access)
{
	noted_link link = { access, list };

	links.safe_push(link);
	return links.length() - 1;
}

static void add(gimple *statement, tree reference, enum weft_access_effect effect, unsigned access)
{
	uint64_t name = effect == WEFT_EFFECT_LOAD ? name_key(statement) : 0;
	uint64_t shape = shape_key(statement, reference, effect);
	uint64_t mine = wp_key((uintptr_t)statement, 0, 0);

	if (name) {
		unsigned *at = wp_map_at(&by_name, name);

		if (!has(*at, access))
			*at = longer(*at, access);
	}
	if (!shape)
		return;
	unsigned *own = wp_map_at(&by_statement, statement_key(statement, reference, effect));

	if (!has(*own, access))
		*own = longer(*own, access);
	/*
	 * If another statement has the same shape, neither is found by the shape, unless both do
	 * the same accesses.
	 */
	unsigned *owner = wp_map_at(&by_shape, wp_key(shape, 1, 0));
	unsigned hash = (unsigned)mine;
	unsigned *at;

	if (!*owner)
		*owner = hash;
	bool other = *owner != hash;

	at = wp_map_at(&by_shape, shape);
	if (*at == AMBIGUOUS || has(*at, access))
		return;
	*at = other ? AMBIGUOUS : longer(*at, access);
}

void wp_lowered_add(gimple *statement, tree reference, enum weft_access_effect effect,
		    unsigned access, bool wholes)
{
	for (; access; access = wholes ? wp_accesses[access].whole : 0)
		add(statement, reference, effect, access);
}

/*
 * The list of accesses that passes have noted for a reference; 0 if there is none. @likely: the
 * access that the reference seems to do by itself; 0: unknown. A list that is found by the shape
 * and does not have @likely belongs to another reference.
 */
static unsigned list_of(gimple *statement, tree reference, enum weft_access_effect effect,
			unsigned likely)
{
	/* Nothing was noted yet. */
	if (!by_name.used && !by_shape.used)
		return 0;
	uint64_t name = effect == WEFT_EFFECT_LOAD ? name_key(statement) : 0;
	uint64_t shape = shape_key(statement, reference, effect);
	unsigned list = name ? wp_map_get(&by_name, name) : 0;

	if (!list && shape)
		list = wp_map_get(&by_statement, statement_key(statement, reference, effect));
	if (list || !shape)
		return list;
	list = wp_map_get(&by_shape, shape);
	return list == AMBIGUOUS || (likely && !has(list, likely)) ? 0 : list;
}

bool wp_lowered_knows(gimple *statement, tree reference, enum weft_access_effect effect)
{
	return list_of(statement, reference, effect, 0);
}

void wp_lowered_each(gimple *statement, tree reference, enum weft_access_effect effect,
		     void (*found)(unsigned access, void *data), void *data)
{
	for (unsigned i = list_of(statement, reference, effect, 0); i; i = links[i].next)
		found(links[i].access, data);
}

static uint64_t tree_key(tree reference, enum weft_access_effect role)
{
	return wp_key((uintptr_t)reference, role, 0);
}

/* Whether a reference reads or writes some bits of a word. */
static bool is_of_bits(tree reference)
{
	return TREE_CODE(reference) == BIT_FIELD_REF ||
	       (TREE_CODE(reference) == COMPONENT_REF &&
		DECL_BIT_FIELD(TREE_OPERAND(reference, 1)));
}

static void enter(gimple *statement)
{
	enum weft_access_effect effect;
	tree reference = wp_memory_of(statement, &effect);

	if (!reference)
		return;
	unsigned access = wp_access_of_reference(statement, reference, effect);
	unsigned list = list_of(statement, reference, effect, access);

	if (!list && !access)
		return;
	/*
	 * Expansion may begin with an operand of the reference, and make that the MEM_EXPR: of a
	 * BIT_FIELD_REF or a bit-field even the innermost one, without any member. So each is
	 * entered, except variables: all references to a variable have one tree for it.
	 */
	for (bool bits = false; !DECL_P(reference); reference = TREE_OPERAND(reference, 0)) {
		*wp_map_at(list ? &certain_by_tree : &likely_by_tree,
			   tree_key(reference, effect)) = list ? list : access;
		bits |= is_of_bits(reference);
		if (bits ? !handled_component_p(reference)
			 : TREE_CODE(reference) != VIEW_CONVERT_EXPR &&
				   TREE_CODE(reference) != ARRAY_REF)
			break;
	}
}

unsigned wp_lowered_likely(tree expression, enum weft_access_effect role)
{
	return wp_map_get(&likely_by_tree, tree_key(expression, role));
}

bool wp_lowered_find(tree expression, enum weft_access_effect role, bool certain,
		     void (*found)(unsigned access, void *data), void *data)
{
	uint64_t key = tree_key(expression, role);

	if (!certain) {
		unsigned access = wp_lowered_likely(expression, role);

		if (access)
			found(access, data);
		return access;
	}
	unsigned list = wp_map_get(&certain_by_tree, key);

	for (unsigned at = list; at; at = links[at].next)
		found(links[at].access, data);
	return list;
}

namespace
{
const pass_data enter_data = {
	GIMPLE_PASS, "weft_lowered", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0};

class enter_pass : public gimple_opt_pass
{
      public:
	enter_pass(gcc::context *context) : gimple_opt_pass(enter_data, context)
	{
	}
	unsigned int execute(function *) final override;
};

unsigned int enter_pass::execute(function *function)
{
	basic_block block;

	FOR_EACH_BB_FN(block, function)
	{
		for (gimple_stmt_iterator i = gsi_start_bb(block); !gsi_end_p(i); gsi_next(&i))
			enter(gsi_stmt(i));
	}
	return 0;
}

void insert(const char *plugin_name, opt_pass *pass, const char *reference, int instance,
	    enum pass_positioning_ops where)
{
	register_pass_info info = {pass, reference, instance, where};

	register_callback(plugin_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &info);
}

void insert_around(const char *plugin_name, enum wp_rewrite rewrite, const char *reference,
		   int instance)
{
	insert(plugin_name, wp_before_pass_create(g, rewrite), reference, instance,
	       PASS_POS_INSERT_BEFORE);
	insert(plugin_name, wp_after_pass_create(g, rewrite), reference, instance,
	       PASS_POS_INSERT_AFTER);
}
} // namespace

void wp_lowered_init(const char *plugin_name)
{
	insert(plugin_name, wp_isra_callee_pass_create(g), "opt_local_passes", 1,
	       PASS_POS_INSERT_AFTER);
	insert(plugin_name, wp_isra_caller_pass_create(g), "adjust_alignment", 1,
	       PASS_POS_INSERT_AFTER);
	insert_around(plugin_name, WP_REWRITE_LOADS, "pre", 1);
	insert_around(plugin_name, WP_REWRITE_ADDRESSES, "ivopts", 1);
	insert_around(plugin_name, WP_REWRITE_VECTORS, "slp", 0);
	insert_around(plugin_name, WP_REWRITE_STORES, "store-merging", 1);
	insert(plugin_name, new enter_pass(g), "optimized", 1, PASS_POS_INSERT_AFTER);
}
