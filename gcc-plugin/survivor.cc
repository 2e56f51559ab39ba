// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Watches the RTL pass that merges equal ends of blocks, jump2.
 *
 * Before the pass, the expression (MEM_EXPR) of each memory operand is saved. After the pass, the
 * instructions, the removed ones too, are put into groups of equal patterns. For each group in
 * which something was merged, it is found out which accesses each instruction did before the pass:
 * the saved expressions are put back for a moment, and label.cc is asked. Then:
 *
 * - An instruction of the group was removed. Another one of the group does its work now, and it is
 *   not known which. So those that are left are labelled only if all of the group did the same
 *   accesses.
 * - None was removed, but one has lost its expression: GCC clears it when it merges operands with
 *   different expressions. Such an instruction does the accesses that it did before the pass.
 * - An instruction that has its expression still is labelled by it, as if nothing had happened. An
 *   asm is not: label.cc finds the accesses of an asm by its location, and a merged asm has the
 *   location of one of those that it was merged from.
 */
#include "gcc-compat.h"
#include "merged.h"
#include "pattern.h"
#include "survivor.h"

/* A memory operand before the pass. */
struct before {
	rtx_insn *insn;
	rtx memory;
	mem_attrs *attributes;
};

/* An instruction with memory operands, in a group of instructions with the same pattern. */
struct member {
	rtx_insn *insn;
	/*
	 * index in befores of its first operand; the elements after it with the same .insn are its
	 * other operands
	 */
	unsigned first;
	unsigned next; /* 1 + index in members of the next member of the group; 0: none */
	/* the accesses that the instruction did before the pass: a slice of `tried` */
	unsigned first_entry, entry_count;
	bool lost; /* one of its operands has lost its expression */
};

struct group {
	unsigned first; /* 1 + index in members */
	bool removed;	/* an instruction of the group was removed */
	bool lost;	/* one that was not removed has lost an expression */
};

/* The accesses of an instruction that is still there: a slice of tried. */
struct survivor {
	unsigned first, count;
};

static vec<before> befores;
static vec<member> members;
static vec<group> groups;
static vec<wp_entry> tried; /* accesses that instructions did before the pass */
static vec<survivor> survivors;
static struct wp_map group_of; /* key of a pattern -> 1 + index in groups */
static struct wp_map survivor_of; /* 1 + number of an instruction -> 1 + index in survivors */
static tree function; /* the function that the above is about */
static bool watching;

static void watch_begin(void)
{
	subrtx_iterator::array_type array;

	befores.truncate(0);
	tried.truncate(0);
	survivors.truncate(0);
	wp_map_clear(&survivor_of);
	function = current_function_decl;
	watching = true;
	for (rtx_insn *insn = get_insns(); insn; insn = NEXT_INSN(insn)) {
		if (!NONJUMP_INSN_P(insn))
			continue;
		FOR_EACH_SUBRTX(i, array, PATTERN(insn), NONCONST)
		{
			/* The clobber "memory" of an asm is no operand. */
			if (MEM_P(*i) && GET_CODE(XEXP(*i, 0)) != SCRATCH)
				befores.safe_push({ insn, const_cast<rtx>(*i), MEM_ATTRS(*i) });
		}
	}
}

static bool is_lost(const before *it)
{
	return it->attributes && it->attributes->expr && !MEM_EXPR(it->memory);
}

/* Whether the pass has removed or merged something. */
static bool is_changed(void)
{
	for (unsigned i = 0; i < befores.length(); i++) {
		if (befores[i].insn->deleted() || is_lost(&befores[i]))
			return true;
	}
	return false;
}

static void add_member(unsigned first, bool lost)
{
	rtx_insn *insn = befores[first].insn;
	unsigned *at = wp_map_at(&group_of, wp_pattern_key(insn));

	if (!*at) {
		groups.safe_push({ 0, false, false });
		*at = groups.length();
	}
	group *it = &groups[*at - 1];

	members.safe_push({ insn, first, it->first, 0, 0, lost });
	it->first = members.length();
	it->removed |= insn->deleted();
	it->lost |= lost && !insn->deleted();
}

static void find_groups(void)
{
	unsigned end;

	members.truncate(0);
	groups.truncate(0);
	wp_map_clear(&group_of);
	for (unsigned first = 0; first < befores.length(); first = end) {
		bool lost = false;

		for (end = first;
		     end < befores.length() && befores[end].insn == befores[first].insn; end++)
			lost |= is_lost(&befores[end]);
		add_member(first, lost);
	}
}

static bool is_asm(const member *it)
{
	return asm_noperands(PATTERN(it->insn)) >= 0;
}

/* Exchanges the saved expressions and the present ones of an instruction's operands. */
static void swap_expressions(const member *it)
{
	for (unsigned i = it->first; i < befores.length() && befores[i].insn == it->insn; i++)
		std::swap(MEM_ATTRS(befores[i].memory), befores[i].attributes);
}

/*
 * Finds which accesses an instruction did before the pass. Its saved expressions must be in place
 * (swap_expressions()).
 */
static void try_member(member *it)
{
	it->first_entry = tried.length();
	swap_expressions(it);
	wp_label_collect(it->insn, &tried);
	swap_expressions(it);
	it->entry_count = tried.length() - it->first_entry;
}

/* Whether two instructions did the same accesses before the pass. */
static bool did_the_same(const member *a, const member *b)
{
	if (a->entry_count != b->entry_count)
		return false;
	for (unsigned i = 0; i < a->entry_count; i++) {
		const wp_entry *x = &tried[a->first_entry + i], *y = &tried[b->first_entry + i];

		if (x->access != y->access || x->effect != y->effect)
			return false;
	}
	return true;
}

/*
 * Notes for label.cc what the instructions of a group do that are still there. If this is not
 * known, because an instruction of the group was removed and not all of them did the same accesses,
 * notes that they do no access that can be named. Notes nothing of an instruction that label.cc can
 * read as it is now.
 */
static void judge(const group *group)
{
	const member *first = &members[group->first - 1];
	bool same = true;

	for (unsigned i = group->first; i; i = members[i - 1].next) {
		try_member(&members[i - 1]);
		same &= did_the_same(first, &members[i - 1]);
	}
	for (unsigned i = group->first; i; i = members[i - 1].next) {
		const member *it = &members[i - 1];
		bool known = same || !group->removed;

		if (it->insn->deleted() || (known && (!it->lost || !it->entry_count)) ||
		    (!it->lost && !is_asm(it)))
			continue;
		survivors.safe_push({ it->first_entry, known ? it->entry_count : 0 });
		*wp_map_at(&survivor_of, 1 + INSN_UID(it->insn)) = survivors.length();
	}
}

static void watch_end(void)
{
	if (!watching)
		return;
	watching = false;
	if (!cfun || current_function_decl != function || !is_changed())
		return;
	wp_merged_look();
	find_groups();
	for (unsigned i = 0; i < groups.length(); i++) {
		if (groups[i].lost ||
		    (groups[i].removed && is_asm(&members[groups[i].first - 1])))
			judge(&groups[i]);
	}
}

const wp_entry *wp_survivor_entries(const rtx_insn *insn, unsigned *count)
{
	unsigned at = current_function_decl == function
			      ? wp_map_get(&survivor_of, 1 + INSN_UID(insn)) : 0;

	if (!at)
		return NULL;
	*count = survivors[at - 1].count;
	return tried.address() + survivors[at - 1].first;
}

void wp_survivor_before(const opt_pass *pass)
{
	watch_end();
	if (pass->type == RTL_PASS && cfun && current_function_decl && !strcmp(pass->name, "jump2"))
		watch_begin();
}

/* Called before the garbage collector frees removed instructions and their expressions. */
static void before_collection(void *gcc_data, void *data)
{
	watch_end();
}

void wp_survivor_init(const char *name)
{
	register_callback(name, PLUGIN_GGC_START, before_collection, NULL);
}
