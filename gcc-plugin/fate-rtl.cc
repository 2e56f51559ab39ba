// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Watches the RTL passes that remove accesses:
 *
 *   jump2	merges equal ends of blocks. One of two equal instructions is left; if they access
 *		different members, GCC clears its MEM_EXPR. Then it belongs to neither access, and
 *		both are coalesced, with no servant named. Accesses that only a removed branch
 *		needed are dead
 *   cse, postreload	use a register in the place of memory whose value it has: coalesced, with
 *		no servant named
 *   rtl pre	removes loads of what a register has already: coalesced, with no servant named
 *   dse	removes stores of what nothing reads: dead. In the place of a load it uses a
 *		register that has the stored value: coalesced, with no servant named
 *
 * Only what is proven becomes a fact. If an access has a label in the end, facts about it do not
 * count.
 */
#include "gcc-compat.h"
#include "fate.h"
#include "pattern.h"
#include "reference.h"

/* A reference to memory in an instruction, as it was before the pass. */
struct before {
	rtx_insn *insn;
	tree expression; /* its MEM_EXPR */
	bool store;
};

/* An instruction before the pass. */
struct instruction {
	rtx_insn *insn;
	basic_block block;
};

enum rtl_pass { RTL_NONE, RTL_JUMP, RTL_CSE, RTL_PRE, RTL_DSE };

static vec<before> befores;
static vec<instruction> instructions;
static struct wp_map survivors, removed; /* patterns of the instructions that are left, or gone */
/* key of a pattern, and load or store -> hash of the first access and instance that has it */
static struct wp_map doers;
/* set of keys of a pattern, and load or store, that several accesses or instances have */
static struct wp_map shared;
static struct wp_map index_of; /* instruction -> 1 + index in instructions */
/* set of keys of an access and an instance that an instruction does after the pass */
static struct wp_map alive;
static enum rtl_pass kind;
static tree function;

static uint64_t insn_key(const rtx_insn *insn)
{
	return (uintptr_t)insn;
}

/* Returns the memory that a destination is, without what wraps it; NULL: it is not memory. */
static const_rtx stored_memory(const_rtx to)
{
	while (GET_CODE(to) == SUBREG || GET_CODE(to) == STRICT_LOW_PART ||
	       GET_CODE(to) == ZERO_EXTRACT)
		to = XEXP(to, 0);
	return MEM_P(to) ? to : NULL_RTX;
}

static bool is_stored(const_rtx pattern, const_rtx memory)
{
	if (GET_CODE(pattern) == SET)
		return stored_memory(SET_DEST(pattern)) == memory;
	if (GET_CODE(pattern) != PARALLEL)
		return false;
	for (int i = 0; i < XVECLEN(pattern, 0); i++) {
		if (is_stored(XVECEXP(pattern, 0, i), memory))
			return true;
	}
	return false;
}

/* Calls found() for each reference to memory that has a MEM_EXPR. */
static void references_of(rtx_insn *insn,
			  void (*found)(rtx_insn *insn, tree expression, bool store))
{
	subrtx_iterator::array_type array;
	const_rtx pattern = PATTERN(insn);

	if (GET_CODE(pattern) == SET && REG_P(SET_DEST(pattern)) &&
	    (REG_P(SET_SRC(pattern)) || CONST_INT_P(SET_SRC(pattern))))
		return;
	FOR_EACH_SUBRTX(i, array, pattern, NONCONST)
	{
		if (MEM_P(*i) && MEM_EXPR(*i))
			found(insn, MEM_EXPR(*i), is_stored(pattern, *i));
	}
}

static void note_before(rtx_insn *insn, tree expression, bool store)
{
	if (handled_component_p(expression) || TREE_CODE(expression) == MEM_REF)
		befores.safe_push({ insn, expression, store });
}

static unsigned access_of(rtx_insn *insn, tree expression, bool store)
{
	wp_code_location place = { INSN_LOCATION(insn), current_function_decl };
	enum weft_access_effect effect = store ? WEFT_EFFECT_STORE : WEFT_EFFECT_LOAD;
	tree at = expression;
	unsigned access = 0;
	wp_bits bits;

	for (; handled_component_p(at) && !access; at = TREE_OPERAND(at, 0)) {
		if (TREE_CODE(at) == COMPONENT_REF && DECL_NAME(TREE_OPERAND(at, 1)))
			access = wp_access_of_member(&place, at, effect);
	}
	if (!access && wp_bits_init(&bits, expression))
		access = wp_access_of_bits(&place, EXPR_LOCATION(expression), &bits, effect);
	return access;
}

static void note_alive(rtx_insn *insn, tree expression, bool store)
{
	unsigned access = access_of(insn, expression, store);

	if (access)
		*wp_map_at(&alive, wp_key(access, wp_instance_of(INSN_LOCATION(insn)), 0)) = 1;
}

static void watch_begin(void)
{
	function = current_function_decl;
	befores.truncate(0);
	instructions.truncate(0);
	for (rtx_insn *insn = get_insns(); insn; insn = NEXT_INSN(insn)) {
		if (!NONDEBUG_INSN_P(insn))
			continue;
		if (kind == RTL_JUMP)
			instructions.safe_push({ insn, BLOCK_FOR_INSN(insn) });
		references_of(insn, note_before);
	}
}

/* After the pass. */

/* Whether an instruction has an effect, so that it is not removed just because nothing needs it. */
static bool has_effect(const rtx_insn *insn)
{
	if (CALL_P(insn) || volatile_insn_p(PATTERN(insn)))
		return true;
	const_rtx set = single_set(insn);

	return set && stored_memory(SET_DEST(set));
}

static void look_at_instructions(void)
{
	wp_map_clear(&survivors);
	wp_map_clear(&removed);
	wp_map_clear(&index_of);
	for (unsigned i = 0; i < instructions.length(); i++) {
		rtx_insn *insn = instructions[i].insn;

		*wp_map_at(&index_of, insn_key(insn)) = 1 + i;
		if (!JUMP_P(insn))
			*wp_map_at(insn->deleted() ? &removed : &survivors,
				   wp_pattern_key(insn)) = 1;
	}
}

/*
 * Whether, of the instructions with the pattern of @insn, the pass has removed at least one and
 * left at least one.
 */
static bool is_one_of_two(const rtx_insn *insn)
{
	return wp_map_get(insn->deleted() ? &survivors : &removed, wp_pattern_key(insn));
}

/*
 * Whether a removed instruction was merged with an equal one, as part of the equal ends of two
 * blocks. Then all instructions after it in its block were merged, too. One of them must have an
 * effect: without that, all may have been removed because nothing needed them.
 */
static bool is_merged(rtx_insn *insn)
{
	unsigned i = wp_map_get(&index_of, insn_key(insn));
	bool effect = false;

	if (!i)
		return false;
	basic_block block = instructions[--i].block;

	for (; i < instructions.length() && instructions[i].block == block; i++) {
		rtx_insn *it = instructions[i].insn;

		if (JUMP_P(it))
			break;
		if (!is_one_of_two(it))
			return false;
		effect |= has_effect(it);
	}
	return effect;
}

static uint64_t doer_key(const before *it)
{
	return wp_key(wp_pattern_key(it->insn), it->store, 0);
}

/*
 * Finds the patterns whose instructions did different accesses before the pass, or one access in
 * several instances.
 */
static void look_at_doers(void)
{
	wp_map_clear(&doers);
	wp_map_clear(&shared);
	for (unsigned i = 0; i < befores.length(); i++) {
		const before *it = &befores[i];
		unsigned who = wp_key(access_of(it->insn, it->expression, it->store),
				      wp_instance_of(INSN_LOCATION(it->insn)), 0) | 1;
		unsigned *at = wp_map_at(&doers, doer_key(it));

		if (!*at)
			*at = who;
		else if (*at != who)
			*wp_map_at(&shared, doer_key(it)) = 1;
	}
}

static void fact(const before *it, enum weft_fate fate)
{
	wp_fact fact = { access_of(it->insn, it->expression, it->store),
			 wp_instance_of(INSN_LOCATION(it->insn)), fate, 0, 0, false, false, 0, 0 };

	if (fact.access && !wp_map_get(&alive, wp_key(fact.access, fact.instance, 0)))
		wp_fact_add(function, &fact);
}

/* Whether the instruction still has the reference. */
static bool is_there(const before *it)
{
	subrtx_iterator::array_type array;

	FOR_EACH_SUBRTX(i, array, PATTERN(it->insn), NONCONST)
	{
		if (MEM_P(*i) && MEM_EXPR(*i) == it->expression)
			return true;
	}
	return false;
}

static bool has_memory(const rtx_insn *insn)
{
	subrtx_iterator::array_type array;

	FOR_EACH_SUBRTX(i, array, PATTERN(insn), NONCONST)
	{
		if (MEM_P(*i))
			return true;
	}
	return false;
}

static void resolve_jump(const before *it)
{
	bool merged = it->insn->deleted() ? is_merged(it->insn) : !is_there(it);

	if (merged) {
		/*
		 * If all merged instructions did the same access, the one that is left still does
		 * it.
		 */
		if (wp_map_get(&shared, doer_key(it)))
			fact(it, WEFT_FATE_COALESCED);
	} else if (it->insn->deleted() && !has_effect(it->insn) &&
		   !wp_map_get(&survivors, wp_pattern_key(it->insn))) {
		fact(it, WEFT_FATE_DEAD);
	}
}

static void resolve_cse(const before *it)
{
	const_rtx set;

	if (it->insn->deleted() || it->store || has_memory(it->insn))
		return;
	set = single_set(it->insn);
	if (set && REG_P(SET_DEST(set)) && (REG_P(SET_SRC(set)) || SUBREG_P(SET_SRC(set))))
		fact(it, WEFT_FATE_COALESCED);
}

static void resolve_pre(const before *it)
{
	if (it->insn->deleted() && !it->store)
		fact(it, WEFT_FATE_COALESCED);
}

static void resolve_dse(const before *it)
{
	if (it->insn->deleted() && it->store)
		fact(it, WEFT_FATE_DEAD);
	else
		resolve_cse(it);
}

static bool is_changed(const before *it)
{
	return it->insn->deleted() || !is_there(it);
}

static void watch_end(void)
{
	enum rtl_pass done = kind;
	bool changed = false;

	kind = RTL_NONE;
	if (done == RTL_NONE || !cfun || current_function_decl != function)
		return;
	for (unsigned i = 0; i < befores.length() && !changed; i++)
		changed = is_changed(&befores[i]);
	if (!changed)
		return;
	if (done == RTL_JUMP) {
		look_at_instructions();
		look_at_doers();
	}
	wp_map_clear(&alive);
	for (rtx_insn *insn = get_insns(); insn; insn = NEXT_INSN(insn)) {
		if (NONDEBUG_INSN_P(insn))
			references_of(insn, note_alive);
	}
	for (unsigned i = 0; i < befores.length(); i++) {
		if (!is_changed(&befores[i]))
			continue;
		switch (done) {
		case RTL_JUMP:
			resolve_jump(&befores[i]);
			break;
		case RTL_PRE:
			resolve_pre(&befores[i]);
			break;
		case RTL_DSE:
			resolve_dse(&befores[i]);
			break;
		default:
			resolve_cse(&befores[i]);
		}
	}
}

static enum rtl_pass kind_of_name(const char *name)
{
	if (!strcmp(name, "jump2"))
		return RTL_JUMP;
	if (!strcmp(name, "cse1") || !strcmp(name, "cse2") || !strcmp(name, "cse_local") ||
	    !strcmp(name, "postreload"))
		return RTL_CSE;
	if (!strcmp(name, "rtl pre"))
		return RTL_PRE;
	if (!strcmp(name, "dse1") || !strcmp(name, "dse2"))
		return RTL_DSE;
	return RTL_NONE;
}

static enum rtl_pass kind_of(const opt_pass *pass)
{
	static struct wp_map known; /* address of the pass -> 1 + its kind */
	unsigned *at = wp_map_at(&known, (uintptr_t)pass);

	if (!*at)
		*at = 1 + kind_of_name(pass->name);
	return (enum rtl_pass)(*at - 1);
}

void wp_fate_rtl_before(const opt_pass *pass)
{
	watch_end();
	if (pass->type != RTL_PASS || !cfun || !current_function_decl)
		return;
	kind = kind_of(pass);
	if (kind != RTL_NONE)
		watch_begin();
}

/* Called before the garbage collector frees removed instructions. */
static void before_collection(void *gcc_data, void *data)
{
	watch_end();
}

void wp_fate_rtl_init(const char *name)
{
	register_callback(name, PLUGIN_GGC_START, before_collection, NULL);
}
