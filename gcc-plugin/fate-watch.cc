// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Watches GCC's GIMPLE passes. Before each pass the loads and stores that do an access are noted,
 * with what uses their value; after it, fate-resolve.cc looks at those that are gone. Most passes
 * change nothing in most functions: after these the notes stay as they are. (Two passes that change
 * something cannot be watched as one: names of values that the first has released are used again by
 * the second.)
 */
#include "gcc-compat.h"
#include "fate.h"
#include "fate-changed.h"
#include "fate-seen.h"
#include "fate-watched.h"
#include "lowered.h"
#include "reference.h"

/*
 * Maximum number of uses of a value that are noted, including the uses of what those statements
 * compute.
 */
#define USES_MAX 12

vec<watched> wp_watched;
vec<use> wp_uses;
struct wp_map wp_watched_by_statement, wp_watched_by_memory;
enum pass_kind wp_watched_kind;
static struct wp_map accesses; /* statement, part of its reference, location -> 1 + access */
static unsigned watched_function; /* DECL_UID; 0: nothing is watched */
/* wp_body_hash() when the function was looked at; 0: it was not in SSA form */
static uint64_t watched_body;
static unsigned watched_notes; /* wp_lowered_count() when the function was looked at */
/* before the pass, nothing used the value of a watched load: the fact is stated after the pass */
static bool has_unused;
static unsigned memo_function;
/* watched.neighbour for the statements of the current block, once one of them was watched */
static gimple *neighbour;
static bool neighbour_known;
/* The scope of the last statement that was looked at, and its instance. */
static tree last_scope;
static unsigned last_instance;

uint64_t wp_statement_key(gimple *statement)
{
	return (uintptr_t)statement;
}

unsigned wp_watched_access(gimple *statement, tree reference, enum weft_access_effect effect)
{
	uint64_t key = wp_key((uintptr_t)statement, (uintptr_t)reference,
			      (uint64_t)gimple_location(statement) << 1 |
				      (effect == WEFT_EFFECT_STORE));
	unsigned *at = wp_map_at(&accesses, key);

	if (!*at)
		*at = 1 + wp_access_of_reference(statement, reference, effect);
	return *at - 1;
}

unsigned wp_watched_next(gimple *statement, tree *rest, unsigned access,
			    enum weft_access_effect effect)
{
	for (tree at = *rest; handled_component_p(at); at = TREE_OPERAND(at, 0)) {
		tree outer = TREE_OPERAND(at, 0);
		unsigned found = TREE_CODE(outer) == COMPONENT_REF
					 ? wp_watched_access(statement, outer, effect) : 0;

		if (found && !wp_access_is_part(access, found)) {
			*rest = outer;
			return found;
		}
	}
	return 0;
}

/* The instance that a statement is in. Neighbours are mostly in the same one. */
static unsigned instance_of(gimple *statement)
{
	tree scope = LOCATION_BLOCK(gimple_location(statement));

	if (scope != last_scope) {
		last_instance = wp_instance_of(gimple_location(statement));
		last_scope = scope;
	}
	return last_instance;
}

/* A statement of @block that no pass removes while the block is reached; NULL: there is none. */
static gimple *neighbour_in(basic_block block)
{
	if (!neighbour_known)
		neighbour_known = false;
	neighbour_known = true;
	return neighbour;
}

static void note_uses(watched *it, tree value, int through)
{
	imm_use_iterator iterator;
	use_operand_p at;

	FOR_EACH_IMM_USE_FAST(at, iterator, value)
	{
		gimple *user = USE_STMT(at);
		use use = { user, {}, 0, through };

		if (is_gimple_debug(user))
			continue;
		if (it->use_count == USES_MAX ||
		    !wp_shape_init(&use.shape, user, value, &use.operand)) {
			it->more_uses = true;
			continue;
		}
		wp_uses.safe_push(use);
		it->use_count++;
	}
}

bool wp_watched_unused(const watched *it)
{
	return !it->store && it->value && !gimple_has_volatile_ops(it->statement) &&
	       has_zero_uses(it->value);
}

/*
 * Watches an access that an earlier pass was noted to have moved to a statement. @data: a `watched`
 * for the access that the statement does by itself.
 */
static void watch_noted(unsigned access, void *data)
{
	watched it = *(const watched *)data;

	if (!access || access == it.access)
		return;
	it.access = access;
	wp_seen(access);
	wp_watched.safe_push(it);
}

/*
 * Watches the access of the struct that contains a tested bit-field, too, because one load may
 * do the work of tests of several bit-fields. @data: the `watched` for the bit-field.
 */
static void watch_word(gimple *statement, tree word, const watched *data)
{
	watched it = *data;

	if (TREE_CODE(word) == COMPONENT_REF)
		watch_noted(wp_watched_access(statement, word, WEFT_EFFECT_LOAD), &it);
}

static void watch_reference(gimple *statement, tree reference, tree value, bool store)
{
	enum weft_access_effect effect = store ? WEFT_EFFECT_STORE : WEFT_EFFECT_LOAD;
	unsigned own = wp_watched_access(statement, reference, effect), first;
	watched it = {};

	it.access = own;
	if (!own && !wp_lowered_knows(statement, reference, effect)) {
		wp_seen_unknown(statement, reference);
		return;
	}
	it.statement = statement;
	it.instance = instance_of(statement);
	it.store = store;
	it.local = wp_local_variable(reference);
	it.block = gimple_bb(statement);
	it.neighbour = neighbour_in(it.block);
	it.value = value;
	it.memory = gimple_vuse(statement);
	it.keys = wp_reference_keys(reference);
	it.first_use = wp_uses.length();
	has_unused |= wp_watched_unused(&it);
	if (!store && value) {
		note_uses(&it, value, -1);
		for (unsigned i = 0; i < it.use_count; i++) {
			tree result = gimple_get_lhs(wp_uses[it.first_use + i].statement);

			if (result && TREE_CODE(result) == SSA_NAME)
				note_uses(&it, result, i);
		}
	}
	first = wp_watched.length();
	wp_seen(own);
	if (own)
		wp_watched.safe_push(it);
	wp_lowered_each(statement, reference, effect, watch_noted, &it);
	*wp_map_at(&wp_watched_by_statement, wp_statement_key(statement)) = 1 + first;
	if (!store && it.memory) {
		unsigned *at = wp_map_at(&wp_watched_by_memory,
					 wp_key((uintptr_t)it.memory, it.keys.strict, 0));

		if (!*at)
			*at = 1 + first;
	}
	if (TREE_CODE(reference) == BIT_FIELD_REF)
		watch_word(statement, TREE_OPERAND(reference, 0), &it);
	for (tree rest = reference;
	     own && (it.access = wp_watched_next(statement, &rest, it.access, effect));) {
		wp_seen(it.access);
		wp_watched.safe_push(it);
	}
}

/* Watches the structs that a call passes by value. */
static void watch_arguments(gimple *call)
{
	for (unsigned i = 0; i < gimple_call_num_args(call); i++) {
		watched it = {};

		tree argument = gimple_call_arg(call, i);

		if (!handled_component_p(argument))
			continue;
		it.access = wp_watched_access(call, argument, WEFT_EFFECT_LOAD);
		if (!it.access) {
			wp_seen_unknown(call, argument);
			continue;
		}
		it.statement = call;
		it.instance = wp_instance_of(gimple_location(call));
		it.block = gimple_bb(call);
		wp_seen(it.access);
		wp_watched.safe_push(it);
	}
}

static void watch_statement(gimple *statement)
{
	if (is_gimple_call(statement))
		watch_arguments(statement);
	if (!gimple_vuse(statement) || !gimple_assign_single_p(statement))
		return;
	tree to = gimple_assign_lhs(statement), from = gimple_assign_rhs1(statement);

	if (gimple_assign_load_p(statement))
		watch_reference(statement, from, TREE_CODE(to) == SSA_NAME ? to : NULL_TREE, false);
	if (gimple_vdef(statement))
		watch_reference(statement, to, from, true);
}

static void watch_begin(void)
{
	wp_values_changed();
	last_scope = NULL_TREE;
	last_instance = 0;
	watched_function = DECL_UID(current_function_decl);
	watched_body = 0;
	watched_notes = wp_lowered_count();
	has_unused = false;
	if (memo_function != watched_function)
		wp_map_clear(&accesses);
	memo_function = watched_function;
	wp_watched.truncate(0);
	wp_uses.truncate(0);
	wp_map_clear(&wp_watched_by_statement);
	wp_map_clear(&wp_watched_by_memory);
}

static void watch_blocks(void)
{
	basic_block block;

	watch_begin();
	wp_seen_begin();
	FOR_EACH_BB_FN(block, cfun)
	{
		neighbour = wp_lasting_statement(block);
		for (gimple_stmt_iterator i = gsi_start_bb(block); !gsi_end_p(i); gsi_next(&i))
			watch_statement(gsi_stmt(i));
	}
}

/* As watch_blocks(), before the pass that makes blocks: the function has no SSA names either. */
static void watch_body(void)
{
	gimple_seq body = gimple_body(current_function_decl);

	watch_begin();
	for (gimple_stmt_iterator i = gsi_start(body); !gsi_end_p(i); gsi_next(&i)) {
		gimple *statement = gsi_stmt(i);

		if (!gimple_assign_single_p(statement))
			continue;
		for (unsigned store = 0; store < 2; store++) {
			tree reference = gimple_op(statement, !store);
			watched it = {};

			if (!handled_component_p(reference))
				continue;
			it.statement = statement;
			it.store = store;
			it.access = wp_watched_access(statement, reference,
					      store ? WEFT_EFFECT_STORE : WEFT_EFFECT_LOAD);
			if (it.access)
				wp_watched.safe_push(it);
		}
	}
}

static void watch_end(void)
{
	if (!watched_function)
		return;
	wp_values_changed();
	if (cfun && current_function_decl && DECL_UID(current_function_decl) == watched_function &&
	    cfun->cfg && !(cfun->curr_properties & PROP_rtl)) {
		wp_resolve_all();
	} else if (wp_watched_kind == PASS_EXPAND && cfun && current_function_decl &&
		   DECL_UID(current_function_decl) == watched_function) {
		wp_resolve_variables();
	}
	watched_function = 0;
}

/*
 * Looks at the current function before @pass. @body: wp_body_hash() of the function; 0: it is not
 * in SSA form.
 */
static void look_before(const opt_pass *pass, uint64_t body)
{
	if (body) {
		/*
		 * That a load is not needed is stated once, after the first pass that left it so.
		 */
		bool stated = body == watched_body && wp_watched_kind != PASS_SPLITTING;

		wp_watched_kind = wp_pass_kind(pass);
		watch_blocks();
		watched_body = body;
		has_unused &= !stated;
	} else if (!strcmp(pass->name, "cfg") && !cfun->cfg) {
		wp_watched_kind = PASS_UNREACHABLE;
		watch_body();
		wp_fate_body();
	}
}

/*
 * Whether the function is the one that was looked at, and the last pass has changed nothing, and
 * noted nothing about it.
 */
static bool is_unchanged(uint64_t body)
{
	return watched_function == DECL_UID(current_function_decl) && body == watched_body &&
	       watched_notes == wp_lowered_count();
}

void wp_fate_watch_before(const opt_pass *pass)
{
	bool looks = (pass->type == GIMPLE_PASS || wp_pass_kind(pass) == PASS_EXPAND) && cfun &&
		     current_function_decl && !(cfun->curr_properties & PROP_rtl);
	uint64_t body = 0;

	if (looks && cfun->cfg && cfun->curr_properties & PROP_ssa)
		body = wp_watched_kind == PASS_IDLE && watched_body && is_unchanged(watched_body)
			       ? watched_body : wp_body_hash();
	if (body && is_unchanged(body) && !has_unused) {
		wp_watched_kind = wp_pass_kind(pass);
		return;
	}
	watch_end();
	if (looks)
		look_before(pass, body);
	wp_resolve_state(watched_function);
}

/* Called before the garbage collector frees removed statements. */
static void before_collection(void *gcc_data, void *data)
{
	watch_end();
	wp_map_clear(&accesses);
}

void wp_fate_watch_init(const char *name)
{
	register_callback(name, PLUGIN_GGC_START, before_collection, NULL);
}
