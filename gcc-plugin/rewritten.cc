// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * References that one of GCC's passes rewrites. Before the pass, each load and store with an access
 * is noted; after it, what became of those:
 *
 *   ivopts         turns `p->m` in a loop into an offset from another variable, in place
 *   store merging  replaces stores to neighbours by one wide store
 *   SLP            does that, too, and replaces loads by a wide one
 *   PRE            replaces loads of the same memory by one load before the branch
 */
#include "gcc-compat.h"
#include "lowered.h"
#include "reference.h"

/*
 * Each statement that a pass has made is compared with each one from before. New statements are
 * only looked at as long as the number of these pairs is less than this, in one function.
 */
#define PAIRS_MAX (1u << 20)

/*
 * How often a pointer is replaced by the pointer that it was computed from, to find the pointer
 * that the old and the new statement have in common.
 */
#define STEPS_MAX 16

/* The memory that a statement accesses: some bits of an object. */
struct bit_range {
	tree base; /* a variable, or the pointer (an SSA_NAME) that others were computed from */
	int first; /* offset of the first bit from the start of the base's memory, in bits */
	int count; /* number of bits */
	/*
	 * As .first, but counted from where the pointer in the statement itself points. (.base was
	 * found from that pointer.)
	 */
	int offset;
};

/* A load or store before the pass. */
struct before {
	gimple *statement;
	location_t where;
	tree reference;
	tree memory; /* virtual operand (vuse): loads with the same one see the same memory */
	unsigned access;
	int block; /* index of the statement's basic block */
	bool there; /* the statement is still there after the pass */
	enum weft_access_effect effect;
	struct bit_range range;
};

/* A load or store that the pass has made. */
struct made {
	gimple *statement;
	tree reference;
	enum weft_access_effect effect;
	struct bit_range range;
};

static vec<before> befores;
static vec<made> mades;
static struct wp_map by_statement; /* statement -> 1 + index in befores */

/*
 * If the base is a pointer that was made of another one, as the vectorizer makes them, lets @range
 * count from that other pointer: then stores that GCC has made and stores of the source have the
 * same base.
 */
static void follow_pointer(struct bit_range *range)
{
	HOST_WIDE_INT bytes = 0;
	tree base = range->base;
	int first = range->first;

	for (unsigned i = 0; i < STEPS_MAX; i++) {
		base = wp_pointer_before(base, &bytes);
		if (!base)
			break;
		if ((TREE_CODE(base) != SSA_NAME && !DECL_P(base)) || bytes < 0 ||
		    bytes >= (INT_MAX - first) / BITS_PER_UNIT)
			continue;
		range->base = base;
		range->first = first + (int)bytes * BITS_PER_UNIT;
	}
}

static bool range_init(struct bit_range *range, tree reference)
{
	wp_bits bits;
	tree base = reference;

	*range = { NULL_TREE, WP_NO_BIT, 0, WP_NO_BIT };
	while (handled_component_p(base))
		base = TREE_OPERAND(base, 0);
	if (TREE_CODE(base) == MEM_REF) {
		base = TREE_OPERAND(base, 0);
		if (TREE_CODE(base) == ADDR_EXPR)
			base = TREE_OPERAND(base, 0);
	}
	if ((TREE_CODE(base) != SSA_NAME && !DECL_P(base)) || !wp_bits_init(&bits, reference) ||
	    bits.first == WP_NO_BIT)
		return false;
	*range = { base, bits.first, bits.count, bits.first };
	if (TREE_CODE(base) == SSA_NAME)
		follow_pointer(range);
	return true;
}

static bool overlap(const struct bit_range *a, const struct bit_range *b)
{
	return a->base == b->base && a->first < b->first + b->count &&
	       b->first < a->first + a->count;
}

static bool contains(const struct bit_range *outer, const struct bit_range *inner)
{
	return outer->base == inner->base && outer->first <= inner->first &&
	       outer->first + outer->count >= inner->first + inner->count;
}

/* Whether a pass rewrites loads, or stores. */
static bool may_rewrite(enum wp_rewrite rewrite, enum weft_access_effect effect)
{
	return rewrite != (effect == WEFT_EFFECT_STORE ? WP_REWRITE_LOADS : WP_REWRITE_STORES);
}

/* Appends a copy of @data, a `before`, to befores, with @access as its access. */
static void note_access(unsigned access, void *data)
{
	before it = *(const before *)data;

	it.access = access;
	befores.safe_push(it);
}

static void note(gimple *statement, enum wp_rewrite rewrite)
{
	enum weft_access_effect effect;
	tree reference = wp_memory_of(statement, &effect);
	before it = {};

	if (!reference || !may_rewrite(rewrite, effect))
		return;
	it.statement = statement;
	it.where = gimple_location(statement);
	it.reference = reference;
	it.memory = gimple_vuse(statement);
	it.block = gimple_bb(statement)->index;
	it.effect = effect;
	if (!range_init(&it.range, reference) && rewrite != WP_REWRITE_ADDRESSES)
		return;
	unsigned count = befores.length();

	/* A store that an earlier pass has merged does several accesses. */
	if (effect == WEFT_EFFECT_STORE)
		wp_lowered_each(statement, reference, effect, note_access, &it);
	if (befores.length() == count)
		note_access(wp_access_of_reference(statement, reference, effect), &it);
	*wp_map_at(&by_statement, wp_key((uintptr_t)statement, 0, 0)) = befores.length();
}

static void note_all(function *function, enum wp_rewrite rewrite)
{
	basic_block block;

	befores.truncate(0);
	wp_map_clear(&by_statement);
	FOR_EACH_BB_FN(block, function)
	{
		/* ivopts changes only statements in loops. */
		if (rewrite == WP_REWRITE_ADDRESSES &&
		    (!block->loop_father || !loop_depth(block->loop_father)))
			continue;
		for (gimple_stmt_iterator i = gsi_start_bb(block); !gsi_end_p(i); gsi_next(&i))
			note(gsi_stmt(i), rewrite);
	}
}

/*
 * Notes the accesses of a statement whose reference the pass has given another address. The weaver
 * computes the address of the struct from the offset in the instruction. So if the reference covers
 * only a part of a member, the access is left out if the offset has changed and is still one inside
 * the member: the weaver could not see that it counts from another pointer.
 */
static void readdressed(const before *it, gimple *statement, tree reference)
{
	bool target = TREE_CODE(reference) == TARGET_MEM_REF;
	bool index = target && (TMR_INDEX(reference) || TMR_INDEX2(reference));
	wp_bits bits;

	if (!wp_bits_init(&bits, reference))
		return;
	if (target && !index)
		bits.first = TREE_INT_CST_LOW(TMR_OFFSET(reference)) * BITS_PER_UNIT;
	for (unsigned access = it->access; access; access = wp_accesses[access].whole) {
		const wp_extent *extent = &wp_accesses[access].extent;
		bool outside = extent->first != WP_NO_BIT && bits.first != WP_NO_BIT &&
			       (bits.first + bits.count <= extent->first ||
				bits.first >= extent->first + extent->count);
		bool same = bits.first == it->range.offset && bits.first != WP_NO_BIT;

		if (index || same || outside || bits.count == extent->count)
			wp_lowered_add(statement, reference, it->effect, access, false);
	}
}

/* The element of befores for another access of the same statement; NULL: there are no more. */
static before *same_before(before *it)
{
	return it != &befores[0] && it[-1].statement == it->statement ? it - 1 : NULL;
}

static void set_there(before *it, bool there)
{
	for (; it; it = same_before(it))
		it->there = there;
}

/*
 * Whether the statement is a load that nothing uses and that GCC will remove: the vectorizer leaves
 * such loads.
 */
static bool is_unneeded(gimple *statement)
{
	tree value = gimple_assign_lhs(statement);

	return TREE_CODE(value) == SSA_NAME && !gimple_has_volatile_ops(statement) &&
	       has_zero_uses(value);
}

/*
 * Compares a statement after the pass with what it was before. The address of a removed statement
 * may have been given to a new one, so the location must be the same, too.
 */
static void compare(gimple *statement, enum wp_rewrite rewrite)
{
	enum weft_access_effect effect;
	tree reference = wp_memory_of(statement, &effect);
	if (!reference)
		return;
	made made = { statement, reference, effect, {} };
	unsigned index = wp_map_get(&by_statement, wp_key((uintptr_t)statement, 0, 0));
	before *it = index ? &befores[index - 1] : NULL;

	if (it && (it->where != gimple_location(statement) || it->effect != effect))
		it = NULL;
	set_there(it, !is_unneeded(statement));
	if (rewrite == WP_REWRITE_ADDRESSES) {
		for (; it && it->access && it->reference != reference; it = same_before(it))
			readdressed(it, statement, reference);
	} else if ((!it || it->reference != reference) && may_rewrite(rewrite, effect) &&
		   range_init(&made.range, reference)) {
		set_there(it, false);
		mades.safe_push(made);
	}
}

/*
 * Whether the wide store @made can be labelled for @access, which a part of it does. The weaver
 * computes the address of the struct from the store's offset. That is right only if store and
 * access count from the same pointer. If they do not, the weaver must be able to see that: the
 * offset must be one that the member cannot have.
 */
static bool can_be_told(const before *it, unsigned access, const made *made)
{
	const wp_extent *extent = &wp_accesses[access].extent;
	const wp_extent *own = &wp_accesses[it->access].extent;
	bool known = extent->first != WP_NO_BIT && extent->count;

	/* An earlier pass may have merged the store @it: then its range contains the member. */
	return own->first == it->range.first ||
	       (own->first > it->range.first &&
		own->first + own->count <= it->range.first + it->range.count) ||
	       (known && (made->range.first + made->range.count <= extent->first ||
			  made->range.first >= extent->first + extent->count));
}

/*
 * Notes that @made does the access of @it and, as far as can_be_told() allows, the accesses that
 * this one is a part of.
 */
static void add_told(const before *it, const made *made)
{
	for (unsigned access = it->access; access && can_be_told(it, access, made);
	     access = wp_accesses[access].whole)
		wp_lowered_add(made->statement, made->reference, it->effect, access, false);
}

static bool same_range(const struct bit_range *a, const struct bit_range *b)
{
	return a->base == b->base && a->first == b->first && a->count == b->count;
}

/*
 * Returns how many stores (loads, if @made is a load) the pass has made to the range of @made in
 * the block of @made. *@rank_ret: how many of them come before @made. Returns 0 if a new store
 * overlaps with this range and has another range.
 */
static unsigned count_alike(const made *made, unsigned *rank_ret)
{
	unsigned count = 0;

	for (unsigned i = 0; i < mades.length(); i++) {
		const struct made *it = &mades[i];

		if (it->effect != made->effect ||
		    gimple_bb(it->statement) != gimple_bb(made->statement) ||
		    !overlap(&it->range, &made->range))
			continue;
		if (!same_range(&it->range, &made->range))
			return 0;
		if (it == made)
			*rank_ret = count;
		count++;
	}
	return count;
}

/*
 * Returns how many stores (loads, if @it is a load) to the range of @it the pass has removed in the
 * block of @it. *@rank_ret: how many of them come before @it.
 */
static unsigned count_removed(const before *it, unsigned *rank_ret)
{
	unsigned count = 0;

	for (unsigned i = 0; i < befores.length(); i++) {
		const before *other = &befores[i];

		if (other->there || other->effect != it->effect || other->block != it->block ||
		    (other != it && other->statement == it->statement) ||
		    !same_range(&other->range, &it->range))
			continue;
		if (other == it)
			*rank_ret = count;
		count++;
	}
	return count;
}

/*
 * Notes the accesses of the stores that the new store @made replaced: those in its block, inside
 * its range, that are gone. If there are several new stores to this range, the first of them
 * replaced the first old store to each part of it, and so on. New loads are counted in this way
 * always: a store may lie between two loads of the same memory.
 */
static void match_wide(const made *made)
{
	unsigned rank = 0, mine = 0, count = count_alike(made, &rank);

	for (unsigned i = 0; i < befores.length() && count; i++) {
		const before *it = &befores[i];

		if (it->there || !it->access || it->effect != made->effect ||
		    it->block != gimple_bb(made->statement)->index ||
		    !contains(&made->range, &it->range))
			continue;
		bool several = count > 1 || made->effect == WEFT_EFFECT_LOAD;

		if (several && (count_removed(it, &mine) != count || mine != rank))
			continue;
		add_told(it, made);
	}
}

/*
 * Notes the accesses of the loads that a new load replaced: their memory is inside of its range,
 * and they see the same state of it.
 */
static void match_load(function *function, const made *made)
{
	for (unsigned i = 0; i < befores.length(); i++) {
		const before *it = &befores[i];

		if (it->there || !it->access || it->effect != WEFT_EFFECT_LOAD ||
		    it->memory != gimple_vuse(made->statement) ||
		    !contains(&made->range, &it->range))
			continue;
		basic_block block = it->block < last_basic_block_for_fn(function)
					    ? BASIC_BLOCK_FOR_FN(function, it->block)
					    : NULL;

		if (!block || !dom_info_available_p(CDI_DOMINATORS) ||
		    !dominated_by_p(CDI_DOMINATORS, block, gimple_bb(made->statement)))
			continue;
		if (it->range.count != made->range.count)
			add_told(it, made);
		else
			wp_lowered_add(made->statement, made->reference, WEFT_EFFECT_LOAD,
				       it->access, true);
	}
}

/* Whether a load that does the access is still there. */
static bool is_loaded(unsigned access, location_t where)
{
	for (unsigned i = 0; i < befores.length(); i++) {
		if (befores[i].access == access && befores[i].where == where && befores[i].there)
			return true;
	}
	return false;
}

/*
 * Whether @made, a statement that the pass has made, accesses other memory than @access did before
 * the pass. It does if no statement of @access in the same block accessed memory within @made's.
 * Where there was no such statement, it does if the bits of the access's member are not known or do
 * not overlap those of @made.
 */
static bool is_elsewhere(unsigned access, const made *made)
{
	const wp_extent *extent = &wp_accesses[access].extent;
	bool elsewhere = extent->first == WP_NO_BIT ||
			 extent->first + extent->count <= made->range.first ||
			 extent->first >= made->range.first + made->range.count;

	for (unsigned i = 0; i < befores.length(); i++) {
		const before *it = &befores[i];

		if (it->access != access || it->block != gimple_bb(made->statement)->index)
			continue;
		if (contains(&made->range, &it->range))
			return false;
		elsewhere = true;
	}
	return elsewhere;
}

/*
 * Notes the access that a new load or store does by its own location, if old ones were matched with
 * it. Two cases are left out: a load that PRE put before a branch may have the location of a load
 * that is still there, after the branch; and a merged statement may have the location of one that
 * accessed other memory.
 */
static void match_own(const made *made, enum wp_rewrite rewrite)
{
	enum weft_access_effect effect = made->effect;

	if (!wp_lowered_knows(made->statement, made->reference, effect))
		return;
	unsigned access = wp_access_of_reference(made->statement, made->reference, effect);

	if (rewrite == WP_REWRITE_LOADS ? !is_loaded(access, gimple_location(made->statement))
					: !is_elsewhere(access, made))
		wp_lowered_add(made->statement, made->reference, effect, access, true);
}

static void compare_all(function *function, enum wp_rewrite rewrite)
{
	basic_block block;

	if (!befores.length())
		return;
	mades.truncate(0);
	FOR_EACH_BB_FN(block, function)
	{
		for (gimple_stmt_iterator i = gsi_start_bb(block); !gsi_end_p(i); gsi_next(&i))
			compare(gsi_stmt(i), rewrite);
	}
	for (unsigned i = 0; i < mades.length() &&
			     (uint64_t)befores.length() * mades.length() < PAIRS_MAX; i++) {
		if (rewrite == WP_REWRITE_LOADS)
			match_load(function, &mades[i]);
		else
			match_wide(&mades[i]);
		match_own(&mades[i], rewrite);
	}
	befores.truncate(0);
}

namespace
{
const pass_data before_data = {
	GIMPLE_PASS, "weft_before", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0};
const pass_data after_data = {
	GIMPLE_PASS, "weft_after", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0};

class before_pass : public gimple_opt_pass
{
      public:
	before_pass(gcc::context *context, enum wp_rewrite what)
	    : gimple_opt_pass(before_data, context), rewrite(what)
	{
	}
	opt_pass *clone() final override
	{
		return new before_pass(m_ctxt, rewrite);
	}
	unsigned int execute(function *function) final override
	{
		note_all(function, rewrite);
		return 0;
	}

      private:
	enum wp_rewrite rewrite;
};

class after_pass : public gimple_opt_pass
{
      public:
	after_pass(gcc::context *context, enum wp_rewrite what)
	    : gimple_opt_pass(after_data, context), rewrite(what)
	{
	}
	opt_pass *clone() final override
	{
		return new after_pass(m_ctxt, rewrite);
	}
	unsigned int execute(function *function) final override
	{
		compare_all(function, rewrite);
		return 0;
	}

      private:
	enum wp_rewrite rewrite;
};
} // namespace

opt_pass *wp_before_pass_create(gcc::context *context, enum wp_rewrite rewrite)
{
	return new before_pass(context, rewrite);
}

opt_pass *wp_after_pass_create(gcc::context *context, enum wp_rewrite rewrite)
{
	return new after_pass(context, rewrite);
}
