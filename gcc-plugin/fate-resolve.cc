// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a GIMPLE pass has done to the loads and stores that fate-watch.cc has noted before it. The
 * statements that used the value of a load show what has replaced it:
 *
 *   another load of the same member of the same object	coalesced with that access
 *   the value of a store to it				coalesced with that access
 *   another value					coalesced, with no servant named
 *   a constant						constant
 *   nothing, the uses were not needed either		dead
 *
 * A store is dead if a pass that removes dead code removes it, and coalesced if it would store what
 * an earlier one has stored. A reference to a local variable that scalar replacement removes is in
 * registers. Only what is proven becomes a fact.
 */
#include "gcc-compat.h"
#include "fate.h"
#include "fate-watched.h"

/*
 * A fact that the last pass has proven. It holds only if no other statement is found that does the
 * access.
 */
struct found {
	wp_fact fact;
	bool store;
};

static vec<found> pending;
static tree pending_function; /* the function that the pending facts are about */
/* key of access, instance, and load or store -> number of statements that still do it */
static struct wp_map alive;

static uint64_t alive_key(const watched *it)
{
	return wp_key(it->access, it->instance, it->store);
}

/*
 * Stores in @fact the location of a statement that needs the value of the load @it, and that the
 * pass has not removed.
 */
static void note_used(const watched *it, wp_fact *fact)
{
	for (unsigned i = 0; i < it->use_count; i++) {
		gimple *user = wp_uses[it->first_use + i].statement;

		if (!gimple_bb(user) || !gimple_has_location(user))
			continue;
		fact->used = wp_pure(gimple_location(user));
		fact->used_instance = wp_instance_of(gimple_location(user));
		return;
	}
}

static void fact(const watched *it, enum weft_fate fate, const watched *servant)
{
	wp_fact fact = { it->access, it->instance, fate, 0, 0, false, false, 0, 0 };

	if (servant) {
		note_used(it, &fact);
		fact.servant = servant->access;
		fact.servant_instance = servant->instance;
		fact.servant_stores = servant->store;
		fact.servant_alone = servant->statement &&
				     wp_map_get(&alive, alive_key(servant)) == 1;
	}
	if (servant && servant->access == it->access && servant->instance == it->instance)
		return;
	found fact_found = { fact, it->store };

	pending.safe_push(fact_found);
}

static bool is_same_place(const watched *it, const watched *other)
{
	return it->keys.loose == other->keys.loose &&
	       wp_accesses[it->access].member_uid == wp_accesses[other->access].member_uid;
}

/* Among the accesses that the statement of @other does: that of the same place as @it, or NULL. */
static const watched *same_place_in(const watched *it, const watched *other)
{
	gimple *statement = other->statement;
	bool store = other->store;

	for (; other < wp_watched.end() && other->statement == statement && other->store == store;
	     other++) {
		if (is_same_place(it, other))
			return other;
	}
	return NULL;
}

/* Finds the load of the same place as @it that defines @value. Returns false if there is none. */
static bool find_definition(const watched *it, tree value, watched *ret)
{
	value = wp_value_copied(value);
	if (TREE_CODE(value) != SSA_NAME || SSA_NAME_IN_FREE_LIST(value))
		return false;
	gimple *definition = SSA_NAME_DEF_STMT(value);

	if (!definition || !gimple_bb(definition) || !gimple_assign_load_p(definition))
		return false;
	unsigned known = wp_map_get(&wp_watched_by_statement, wp_statement_key(definition));

	if (known && !wp_watched[known - 1].store) {
		const watched *same = same_place_in(it, &wp_watched[known - 1]);

		if (same)
			*ret = *same;
		return same;
	}
	tree reference = gimple_assign_rhs1(definition);

	*ret = {};
	ret->access = wp_watched_access(definition, reference, WEFT_EFFECT_LOAD);
	ret->instance = wp_instance_of(gimple_location(definition));
	ret->keys = wp_reference_keys(reference);
	for (tree rest = reference; ret->access && !is_same_place(it, ret);)
		ret->access = wp_watched_next(definition, &rest, ret->access, WEFT_EFFECT_LOAD);
	return ret->access;
}

/* Whether @it can be reached only through the block of @other. */
static bool is_after(const watched *it, const watched *other)
{
	if (it->block == other->block)
		return true;
	if (BASIC_BLOCK_FOR_FN(cfun, it->block->index) != it->block ||
	    BASIC_BLOCK_FOR_FN(cfun, other->block->index) != other->block)
		return false;
	return dom_info_available_p(CDI_DOMINATORS) &&
	       dominated_by_p(CDI_DOMINATORS, it->block, other->block);
}

/*
 * Returns the earlier access whose value @it has, by the state of the memory alone: a load of
 * exactly the same reference with no store in between, or the last store to it. NULL: none is
 * known.
 */
static const watched *find_earlier(const watched *it)
{
	uint64_t place = it->keys.strict;
	tree memory = it->memory;

	for (unsigned steps = 0; memory && steps < 32; steps++) {
		unsigned first = wp_map_get(&wp_watched_by_memory,
					    wp_key((uintptr_t)memory, place, 0));
		const watched *same = first ? same_place_in(it, &wp_watched[first - 1]) : NULL;

		if (same && same->statement != it->statement &&
		    /*
		     * If @same is in another block, it counts only if each way to @it leads through
		     * it.
		     */
		    is_after(it, same) && (steps || same < it))
			return same;
		if (SSA_NAME_IN_FREE_LIST(memory))
			return NULL;
		gimple *definition = SSA_NAME_DEF_STMT(memory);
		unsigned known = wp_map_get(&wp_watched_by_statement, wp_statement_key(definition));

		const watched *store = known ? &wp_watched[known - 1] : NULL;

		if (store && store->store && store->keys.strict == place)
			return same_place_in(it, store);
		if (!store || !store->store || wp_may_store_to(definition, it->statement))
			return NULL;
		memory = gimple_vuse(definition);
	}
	return NULL;
}

/* Whether the pass replaces values by equal ones. */
static bool is_numbering(void)
{
	return wp_watched_kind == PASS_REDUNDANT || wp_watched_kind == PASS_TAILS;
}

/* What the statements that used a value before the pass use after it. */
struct replaced {
	bool still_used, unclear;
	bool needed; /* a statement that needed the value was not removed */
	tree value; /* an SSA name that is used in the place of the value */
	bool constant;
	watched by; /* .access: the access that loads the value now */
};

/*
 * Returns what @use, whose statement is still there, now uses in the place of its operand. NULL:
 * unclear.
 */
static tree operand_now(const watched *it, const use *use)
{
	wp_shape shape = use->shape;
	/* The pass may have replaced both operands of `p->a < p->b`. */
	bool loose = is_numbering();
	tree now = wp_shape_operand(&shape, use->statement, use->operand, loose);

	while (now && use->through >= 0) {
		/*
		 * The statement uses something that was computed from the value: look at what that
		 * is computed from now.
		 */
		use = &wp_uses[it->first_use + use->through];
		shape = use->shape;
		if (TREE_CODE(now) != SSA_NAME || SSA_NAME_IN_FREE_LIST(now))
			return NULL_TREE;
		now = wp_shape_operand(&shape, SSA_NAME_DEF_STMT(now), use->operand, loose);
	}
	return now;
}

/* Whether a constant is in the place of the value, or of what is computed from it. */
static bool is_folded(const use *use)
{
	gimple *it = use->statement;
	tree now = use->operand < gimple_num_ops(it) ? gimple_op(it, use->operand) : NULL_TREE;

	return (now && is_gimple_min_invariant(now)) ||
	       (gimple_assign_single_p(it) && is_gimple_min_invariant(gimple_assign_rhs1(it)));
}

static void look_at_use(const watched *it, const use *use, replaced *ret)
{
	if (!gimple_bb(use->statement))
		return;
	tree now = operand_now(it, use);

	if (!now) {
		/*
		 * If a phi has lost the operand together with an edge, this proves nothing about
		 * the value.
		 */
		const struct use *direct =
			use->through < 0 ? use : &wp_uses[it->first_use + use->through];

		ret->unclear |= direct->shape.code != GIMPLE_PHI;
		ret->needed |= use->shape.code != GIMPLE_PHI && !is_folded(use);
	} else if (now == it->value) {
		ret->still_used = true;
	} else if (is_gimple_min_invariant(now)) {
		ret->constant = true;
	} else if (TREE_CODE(now) == SSA_NAME && !ret->by.access) {
		watched by;

		ret->value = now;
		if (find_definition(it, now, &by))
			ret->by = by;
	}
}

/* Whether the pass has made the code unreachable that the statement of @it was in. */
static bool is_unreachable(const watched *it)
{
	if (wp_watched_kind == PASS_TAILS ||
	    BASIC_BLOCK_FOR_FN(cfun, it->block->index) == it->block)
		return false;
	if (it->neighbour)
		return !gimple_bb(it->neighbour);
	/*
	 * The block of the statement is gone. Either the block was unreachable; or the pass has
	 * removed the statement for another reason, and then merged the block with another one.
	 * Passes of these two kinds remove statements only if the access is dead as well.
	 */
	return wp_watched_kind == PASS_OTHER || wp_watched_kind == PASS_DEAD;
}

static void resolve_load(const watched *it)
{
	replaced replaced = {};
	const watched *earlier;

	if ((!it->use_count && !it->more_uses) || (it->neighbour && is_unreachable(it))) {
		fact(it, WEFT_FATE_DEAD, NULL);
		return;
	}
	for (unsigned i = 0; i < it->use_count; i++)
		look_at_use(it, &wp_uses[it->first_use + i], &replaced);
	if (replaced.still_used)
		return;
	if (replaced.by.access) {
		fact(it, WEFT_FATE_COALESCED, &replaced.by);
		return;
	}
	earlier = wp_watched_kind == PASS_DEAD || is_unreachable(it) ? NULL : find_earlier(it);
	if (earlier)
		fact(it, WEFT_FATE_COALESCED, earlier);
	else if (replaced.value)
		fact(it, WEFT_FATE_COALESCED, NULL);
	else if (replaced.constant)
		fact(it, WEFT_FATE_CONSTANT, NULL);
	else if (replaced.needed && is_numbering())
		fact(it, WEFT_FATE_COALESCED, NULL);
	else if (!replaced.unclear && (wp_watched_kind == PASS_DEAD || is_unreachable(it)))
		fact(it, WEFT_FATE_DEAD, NULL);
}

static void resolve_store(const watched *it)
{
	const watched *earlier = is_unreachable(it) ? NULL : find_earlier(it);

	if (earlier && earlier->value && wp_same_value(earlier->value, it->value))
		fact(it, WEFT_FATE_COALESCED, earlier);
	else if (wp_watched_kind == PASS_DEAD || is_unreachable(it))
		fact(it, WEFT_FATE_DEAD, NULL);
	else if (is_numbering() || wp_watched_kind == PASS_MERGING)
		fact(it, WEFT_FATE_COALESCED, NULL);
}

/*
 * Whether the pass has replaced the parts of a variable by registers. For a parameter the answer is
 * no: it may be passed on the stack, so that its parts are loaded, which is not known before there
 * are instructions.
 */
static bool is_scalarized(const watched *it)
{
	return wp_watched_kind == PASS_SCALAR && it->local && VAR_P(it->local);
}

/*
 * Whether the pass has put another statement, which defines the same name, in the place of a load.
 * If so, states the fact that follows from that statement.
 */
static bool is_defined_anew(const watched *it)
{
	gimple *now;

	if (it->store || !it->value || SSA_NAME_IN_FREE_LIST(it->value))
		return false;
	now = SSA_NAME_DEF_STMT(it->value);
	if (!now || !gimple_bb(now) || !gimple_get_lhs(now) || gimple_get_lhs(now) != it->value)
		return false;
	if (!is_gimple_assign(now) || gimple_assign_load_p(now))
		return now != it->statement || gimple_assign_load_p(now);
	if (is_scalarized(it)) {
		fact(it, WEFT_FATE_REGISTERS, NULL);
	} else if (gimple_assign_single_p(now) || gimple_assign_cast_p(now)) {
		tree value = gimple_assign_rhs1(now);
		const watched *earlier = find_earlier(it);
		watched by;

		if (find_definition(it, value, &by))
			fact(it, WEFT_FATE_COALESCED, &by);
		else if (earlier)
			fact(it, WEFT_FATE_COALESCED, earlier);
		else if (is_gimple_min_invariant(value))
			fact(it, WEFT_FATE_CONSTANT, NULL);
		else if (TREE_CODE(value) == SSA_NAME)
			fact(it, WEFT_FATE_COALESCED, NULL);
	}
	return true;
}

static bool is_there(const watched *it)
{
	if (wp_watched_kind == PASS_UNREACHABLE || is_gimple_call(it->statement))
		return gimple_bb(it->statement);
	if (!gimple_bb(it->statement) || !gimple_assign_single_p(it->statement))
		return false;
	return it->store ? gimple_vdef(it->statement) != NULL_TREE
			 : gimple_assign_load_p(it->statement);
}

static void resolve(const watched *it)
{
	/* If another statement that does the access is still there, the access has no fate yet. */
	if (wp_map_get(&alive, alive_key(it)) || wp_watched_kind == PASS_SPLITTING)
		return;
	if (wp_watched_kind == PASS_UNREACHABLE) {
		fact(it, WEFT_FATE_DEAD, NULL);
		return;
	}
	if (is_gimple_call(it->statement)) {
		/*
		 * If the call is gone, it was inlined, and nothing needs the struct that was
		 * passed.
		 */
		if (!is_there(it))
			fact(it, WEFT_FATE_DEAD, NULL);
		return;
	}
	if (is_there(it)) {
		resolve_load(it);
		return;
	}
	if (is_defined_anew(it))
		return;
	if (is_scalarized(it))
		fact(it, WEFT_FATE_REGISTERS, NULL);
	else if (it->store)
		resolve_store(it);
	else if (it->value)
		resolve_load(it);
	else if (wp_watched_kind == PASS_DEAD)
		fact(it, WEFT_FATE_DEAD, NULL); /* a copy of a struct that nothing reads */
}

static bool is_alive(const watched *it)
{
	return is_there(it) && !wp_watched_unused(it);
}

static bool all_alive(void)
{
	for (unsigned i = 0; i < wp_watched.length(); i++) {
		if (!is_alive(&wp_watched[i]))
			return false;
	}
	return true;
}

/* Notes the accesses that the watched statements do. */
static void note_alive(void)
{
	for (unsigned i = 0; i < wp_watched.length(); i++) {
		if (is_alive(&wp_watched[i]))
			(*wp_map_at(&alive, alive_key(&wp_watched[i])))++;
	}
}

/*
 * Whether the pass that makes instructions has put a variable into registers, so that it never is
 * in memory.
 */
static bool is_in_registers(tree local)
{
	/* A parameter may be passed on the stack and be loaded at once. */
	if (TREE_CODE(local) == PARM_DECL &&
	    (!DECL_INCOMING_RTL(local) || MEM_P(DECL_INCOMING_RTL(local))))
		return false;
	return DECL_RTL_SET_P(local) && !MEM_P(DECL_RTL(local));
}

void wp_resolve_variables(void)
{
	pending_function = current_function_decl;
	for (unsigned i = 0; i < wp_watched.length(); i++) {
		if (wp_watched[i].local && is_in_registers(wp_watched[i].local))
			fact(&wp_watched[i], WEFT_FATE_REGISTERS, NULL);
	}
}

void wp_resolve_all(void)
{
	pending_function = current_function_decl;
	if (all_alive())
		return;
	wp_map_clear(&alive);
	note_alive();
	for (unsigned i = 0; i < wp_watched.length(); i++)
		resolve(&wp_watched[i]);
}

void wp_resolve_state(unsigned function)
{
	if (!pending.length())
		return;
	wp_map_clear(&alive);
	if (function == DECL_UID(pending_function))
		note_alive();
	for (unsigned i = 0; i < pending.length(); i++) {
		const wp_fact *it = &pending[i].fact;

		if (!wp_map_get(&alive, wp_key(it->access, it->instance, pending[i].store)))
			wp_fact_add(pending_function, it);
	}
	pending.truncate(0);
}
