// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Watches GCC's GIMPLE passes. Before each pass the loads and stores that do an access are noted,
 * with what uses their value; after it, those that are gone are looked at. The statements that used
 * the value show what has replaced it. Most passes change nothing in most functions: after these
 * the notes stay as they are. (Two passes that change something cannot be watched as one: names of
 * values that the first has released are used again by the second.)
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
#include "fate-changed.h"
#include "fate-pass.h"
#include "fate-value.h"
#include "reference.h"

/* The most uses of a value that are noted, including the uses of what these compute. */
#define USES_MAX 12

/* A statement that uses a value, and its shape. */
struct use {
	gimple *statement;
	wp_shape shape;
	unsigned operand;
	int through; /* index of the use whose result this one uses; -1: it uses the value itself */
};

/*
 * A load or store that does an access. A reference may do several accesses: that of `p->uid` and,
 * in an inlined function that has got p->uid by value, that of its member. Then there is an element
 * for each, one after the other.
 */
struct watched {
	gimple *statement;
	unsigned access, instance;
	bool store;
	tree local; /* the variable of the function that is the object; NULL: it is none */
	basic_block block;
	gimple *neighbour; /* a statement that no pass removes while its block is reached */
	tree value; /* the value that is loaded (an SSA name, or NULL) or stored */
	tree memory; /* the virtual operand that it reads */
	wp_keys keys; /* of the reference */
	unsigned first_use, use_count;
	bool more_uses; /* there are more uses than those noted */
};

/* A fact that the last pass has proven, unless another statement is found that does the access. */
struct found {
	wp_fact fact;
	bool store;
};

static vec<watched> watch;
static vec<found> pending;
static tree pending_function;
static vec<use> uses;
static struct wp_map by_statement; /* statement -> 1 + index in watch */
static struct wp_map by_memory; /* memory operand and exact reference -> 1 + index in watch */
static struct wp_map accesses; /* statement, part of its reference, location -> 1 + access */
static unsigned watched_function; /* DECL_UID; 0: nothing is watched */
static uint64_t watched_body; /* its wp_body_hash() when it was looked at; 0: not in SSA form */
static bool has_unused; /* nothing used a watched load before the pass: to be stated after it */
static unsigned memo_function;
static enum pass_kind kind;
static gimple *neighbour; /* watched.neighbour for the statements of the current block */
static struct wp_map alive; /* access, instance, store -> how many statements do it still */

static uint64_t statement_key(gimple *statement)
{
	return (uintptr_t)statement;
}

/* The innermost access that a reference, or the part of one that is left of it, does. */
static unsigned access_of(gimple *statement, tree reference, enum weft_access_effect effect)
{
	uint64_t key = wp_key((uintptr_t)statement, (uintptr_t)reference,
			      (uint64_t)gimple_location(statement) << 1 |
				      (effect == WEFT_EFFECT_STORE));
	unsigned *at = wp_map_at(&accesses, key);

	if (!*at)
		*at = 1 + wp_access_of_reference(statement, reference, effect);
	return *at - 1;
}

/*
 * The next access that a reference does besides @access. *@rest is the part of the reference in
 * which @access was looked for, and becomes that in which the next one was found. 0: there is none.
 */
static unsigned next_access(gimple *statement, tree *rest, unsigned access,
			    enum weft_access_effect effect)
{
	for (tree at = *rest; handled_component_p(at); at = TREE_OPERAND(at, 0)) {
		tree outer = TREE_OPERAND(at, 0);
		unsigned found = TREE_CODE(outer) == COMPONENT_REF
					 ? access_of(statement, outer, effect) : 0;

		if (found && !wp_access_is_part(access, found)) {
			*rest = outer;
			return found;
		}
	}
	return 0;
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
		uses.safe_push(use);
		it->use_count++;
	}
}

static bool is_unused(const watched *it)
{
	return !it->store && it->value && !gimple_has_volatile_ops(it->statement) &&
	       has_zero_uses(it->value);
}

static void watch_reference(gimple *statement, tree reference, tree value, bool store)
{
	enum weft_access_effect effect = store ? WEFT_EFFECT_STORE : WEFT_EFFECT_LOAD;
	watched it = {};

	it.access = access_of(statement, reference, effect);
	if (!it.access)
		return;
	it.statement = statement;
	it.instance = wp_instance_of(gimple_location(statement));
	it.store = store;
	it.local = wp_local_variable(reference);
	it.block = gimple_bb(statement);
	it.neighbour = neighbour;
	it.value = value;
	it.memory = gimple_vuse(statement);
	it.keys = wp_reference_keys(reference);
	it.first_use = uses.length();
	has_unused |= is_unused(&it);
	if (!store && value) {
		note_uses(&it, value, -1);
		for (unsigned i = 0; i < it.use_count; i++) {
			tree result = gimple_get_lhs(uses[it.first_use + i].statement);

			if (result && TREE_CODE(result) == SSA_NAME)
				note_uses(&it, result, i);
		}
	}
	watch.safe_push(it);
	*wp_map_at(&by_statement, statement_key(statement)) = watch.length();
	if (!store && it.memory) {
		unsigned *at = wp_map_at(&by_memory,
					 wp_key((uintptr_t)it.memory, it.keys.strict, 0));

		if (!*at)
			*at = watch.length();
	}
	for (tree rest = reference;
	     (it.access = next_access(statement, &rest, it.access, effect));)
		watch.safe_push(it);
}

static void watch_statement(gimple *statement)
{
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
	watched_function = DECL_UID(current_function_decl);
	watched_body = 0;
	has_unused = false;
	if (memo_function != watched_function)
		wp_map_clear(&accesses);
	memo_function = watched_function;
	watch.truncate(0);
	uses.truncate(0);
	wp_map_clear(&by_statement);
	wp_map_clear(&by_memory);
}

static void watch_blocks(void)
{
	basic_block block;

	watch_begin();
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
			it.access = access_of(statement, reference,
					      store ? WEFT_EFFECT_STORE : WEFT_EFFECT_LOAD);
			if (it.access)
				watch.safe_push(it);
		}
	}
}

/* After the pass. */

static uint64_t alive_key(const watched *it)
{
	return wp_key(it->access, it->instance, it->store);
}

/* Notes in @fact a statement that needs the value of the load @it and is still there. */
static void note_used(const watched *it, wp_fact *fact)
{
	for (unsigned i = 0; i < it->use_count; i++) {
		gimple *user = uses[it->first_use + i].statement;

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

	for (; other < watch.end() && other->statement == statement && other->store == store;
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
	unsigned known = wp_map_get(&by_statement, statement_key(definition));

	if (known && !watch[known - 1].store) {
		const watched *same = same_place_in(it, &watch[known - 1]);

		if (same)
			*ret = *same;
		return same;
	}
	tree reference = gimple_assign_rhs1(definition);

	*ret = {};
	ret->access = access_of(definition, reference, WEFT_EFFECT_LOAD);
	ret->instance = wp_instance_of(gimple_location(definition));
	ret->keys = wp_reference_keys(reference);
	for (tree rest = reference; ret->access && !is_same_place(it, ret);)
		ret->access = next_access(definition, &rest, ret->access, WEFT_EFFECT_LOAD);
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
		unsigned first = wp_map_get(&by_memory, wp_key((uintptr_t)memory, place, 0));
		const watched *same = first ? same_place_in(it, &watch[first - 1]) : NULL;

		if (same && same->statement != it->statement &&
		    /* One in another block counts only if each way to @it leads through it. */
		    is_after(it, same) && (steps || same < it))
			return same;
		if (SSA_NAME_IN_FREE_LIST(memory))
			return NULL;
		gimple *definition = SSA_NAME_DEF_STMT(memory);
		unsigned known = wp_map_get(&by_statement, statement_key(definition));

		if (known && watch[known - 1].store && watch[known - 1].keys.strict == place)
			return same_place_in(it, &watch[known - 1]);
		if (!known || !watch[known - 1].store || wp_may_store_to(definition, it->statement))
			return NULL;
		memory = gimple_vuse(definition);
	}
	return NULL;
}

/* Whether the pass replaces values by equal ones. */
static bool is_numbering(void)
{
	return kind == PASS_REDUNDANT || kind == PASS_TAILS;
}

/* What the statements that used a value use now. */
struct replaced {
	bool still_used, unclear;
	bool needed; /* a statement is still there that needed the value */
	tree value; /* an SSA name that is used in its place */
	bool constant;
	watched by; /* .access: the access that loads it now */
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
		/* It uses something computed from the value: what is it computed from now? */
		use = &uses[it->first_use + use->through];
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
		/* That a phi has lost the operand, with its edge, proves nothing of the value. */
		const struct use *direct =
			use->through < 0 ? use : &uses[it->first_use + use->through];

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
	if (kind == PASS_TAILS || BASIC_BLOCK_FOR_FN(cfun, it->block->index) == it->block)
		return false;
	if (it->neighbour)
		return !gimple_bb(it->neighbour);
	/*
	 * Its block is gone: it was unreachable, or was merged with another one after the pass had
	 * removed the statement for another reason. Passes of these two kinds have no reason that
	 * would not make the access dead as well.
	 */
	return kind == PASS_OTHER || kind == PASS_DEAD;
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
		look_at_use(it, &uses[it->first_use + i], &replaced);
	if (replaced.still_used)
		return;
	if (replaced.by.access) {
		fact(it, WEFT_FATE_COALESCED, &replaced.by);
		return;
	}
	earlier = kind == PASS_DEAD || is_unreachable(it) ? NULL : find_earlier(it);
	if (earlier)
		fact(it, WEFT_FATE_COALESCED, earlier);
	else if (replaced.value)
		fact(it, WEFT_FATE_COALESCED, NULL);
	else if (replaced.constant)
		fact(it, WEFT_FATE_CONSTANT, NULL);
	else if (replaced.needed && is_numbering())
		fact(it, WEFT_FATE_COALESCED, NULL);
	else if (!replaced.unclear && (kind == PASS_DEAD || is_unreachable(it)))
		fact(it, WEFT_FATE_DEAD, NULL);
}

static void resolve_store(const watched *it)
{
	const watched *earlier = is_unreachable(it) ? NULL : find_earlier(it);

	if (earlier && earlier->value && wp_same_value(earlier->value, it->value))
		fact(it, WEFT_FATE_COALESCED, earlier);
	else if (kind == PASS_DEAD || is_unreachable(it))
		fact(it, WEFT_FATE_DEAD, NULL);
	else if (kind == PASS_REDUNDANT || kind == PASS_TAILS || kind == PASS_MERGING)
		fact(it, WEFT_FATE_COALESCED, NULL);
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
	if (kind == PASS_SCALAR && it->local) {
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
	if (kind == PASS_UNREACHABLE)
		return gimple_bb(it->statement);
	if (!gimple_bb(it->statement) || !gimple_assign_single_p(it->statement))
		return false;
	return it->store ? gimple_vdef(it->statement) != NULL_TREE
			 : gimple_assign_load_p(it->statement);
}

static void resolve(const watched *it)
{
	/* If another statement that does the access is still there, the access has no fate yet. */
	if (wp_map_get(&alive, alive_key(it)) || kind == PASS_SPLITTING)
		return;
	if (kind == PASS_UNREACHABLE) {
		fact(it, WEFT_FATE_DEAD, NULL);
		return;
	}
	if (is_there(it)) {
		resolve_load(it);
		return;
	}
	if (is_defined_anew(it))
		return;
	if (kind == PASS_SCALAR && it->local)
		fact(it, WEFT_FATE_REGISTERS, NULL);
	else if (it->store)
		resolve_store(it);
	else if (it->value)
		resolve_load(it);
}

/* Notes the accesses that the watched statements do. */
static void note_alive(void)
{
	for (unsigned i = 0; i < watch.length(); i++) {
		if (is_there(&watch[i]) && !is_unused(&watch[i]))
			(*wp_map_at(&alive, alive_key(&watch[i])))++;
	}
}

/*
 * After the pass that makes instructions: a variable to which it has given registers, and no
 * memory, has no instruction for its accesses.
 */
static void look_at_variables(void)
{
	for (unsigned i = 0; i < watch.length(); i++) {
		tree local = watch[i].local;

		if (local && DECL_RTL_SET_P(local) && !MEM_P(DECL_RTL(local)))
			fact(&watch[i], WEFT_FATE_REGISTERS, NULL);
	}
}

static void watch_end(void)
{
	if (!watched_function)
		return;
	wp_values_changed();
	if (cfun && current_function_decl && DECL_UID(current_function_decl) == watched_function &&
	    cfun->cfg && !(cfun->curr_properties & PROP_rtl)) {
		pending_function = current_function_decl;
		wp_map_clear(&alive);
		note_alive();
		for (unsigned i = 0; i < watch.length(); i++)
			resolve(&watch[i]);
	} else if (kind == PASS_EXPAND && cfun && current_function_decl &&
		   DECL_UID(current_function_decl) == watched_function) {
		pending_function = current_function_decl;
		look_at_variables();
	}
	watched_function = 0;
}

/*
 * States what the last pass has proven. The map alive has the accesses that statements of the
 * function do now: an access that a copy of its statement still does has no fate yet.
 */
static void state_pending(void)
{
	for (unsigned i = 0; i < pending.length(); i++) {
		const wp_fact *it = &pending[i].fact;

		if (!wp_map_get(&alive, wp_key(it->access, it->instance, pending[i].store)))
			wp_fact_add(pending_function, it);
	}
	pending.truncate(0);
}

/* Looks at the function before @pass. @body: its wp_body_hash(); 0: it is not in SSA form. */
static void look_before(const opt_pass *pass, uint64_t body)
{
	if (body) {
		/* What is not needed is stated once, after the first pass that left it so. */
		bool stated = body == watched_body && kind != PASS_SPLITTING;

		kind = wp_pass_kind(pass);
		watch_blocks();
		watched_body = body;
		has_unused &= !stated;
	} else if (!strcmp(pass->name, "cfg") && !cfun->cfg) {
		kind = PASS_UNREACHABLE;
		watch_body();
		wp_fate_body();
	}
}

/* Whether the function is the one that was looked at, and the last pass has changed nothing. */
static bool is_unchanged(uint64_t body)
{
	return watched_function == DECL_UID(current_function_decl) && body == watched_body;
}

/* Called before each pass. */
static void before_pass(void *gcc_data, void *data)
{
	const opt_pass *pass = (const opt_pass *)gcc_data;
	bool looks = (pass->type == GIMPLE_PASS || wp_pass_kind(pass) == PASS_EXPAND) && cfun &&
		     current_function_decl && !(cfun->curr_properties & PROP_rtl);
	uint64_t body = 0;

	if (looks && cfun->cfg && cfun->curr_properties & PROP_ssa)
		body = kind == PASS_IDLE && watched_body && is_unchanged(watched_body)
			       ? watched_body : wp_body_hash();
	if (body && is_unchanged(body) && !has_unused) {
		kind = wp_pass_kind(pass);
		return;
	}
	watch_end();
	wp_map_clear(&alive);
	if (looks)
		look_before(pass, body);
	if (pending.length() && watched_function == DECL_UID(pending_function))
		note_alive();
	state_pending();
}

/* Called before the garbage collector frees removed statements. */
static void before_collection(void *gcc_data, void *data)
{
	watch_end();
	wp_map_clear(&accesses);
}

void wp_fate_watch_init(const char *name)
{
	register_callback(name, PLUGIN_PASS_EXECUTION, before_pass, NULL);
	register_callback(name, PLUGIN_GGC_START, before_collection, NULL);
}
