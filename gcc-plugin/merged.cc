// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A statement of the last GIMPLE that has no instruction in the last RTL was merged with another
 * one, or is dead. It is not known which one it was merged with. So it may be any statement that
 * calls the same function, has the same template, or loads or stores as many bits of volatile
 * memory.
 */
#include "gcc-compat.h"
#include "joinpoints.h"
#include "merged.h"

enum key_kind { KEY_LOCATION = 1, KEY_CALLEE, KEY_TEMPLATE, KEY_LOAD, KEY_STORE };

struct statement {
	location_t where; /* with its block */
	uint64_t like; /* key of its callee, template, or size of volatile memory */
	/* the kind of the key under which its instruction is in the map `left` */
	enum key_kind found;
};

static vec<statement> statements;
/* the instructions that are left: location, and KEY_LOCATION (call, asm) or KEY_LOAD (volatile) */
static struct wp_map left;
static struct wp_map merged; /* the set of .like of all statements without an instruction */

static uint64_t key_of_callee(tree callee)
{
	return wp_key(DECL_UID(callee), 0, KEY_CALLEE);
}

static uint64_t key_of_template(const char *text)
{
	return wp_key(wp_key_of_string(text), 0, KEY_TEMPLATE);
}

static uint64_t key_of_volatile(unsigned HOST_WIDE_INT bits, bool store)
{
	return wp_key(bits, 0, store ? KEY_STORE : KEY_LOAD);
}

/* The key of a load or store of volatile memory; 0 if the statement is none. */
static uint64_t key_of_assignment(gimple *it)
{
	bool store = gimple_vdef(it) && !is_gimple_reg(gimple_assign_lhs(it)) &&
		     TREE_THIS_VOLATILE(gimple_assign_lhs(it));
	tree memory = store ? gimple_assign_lhs(it) : gimple_assign_rhs1(it);
	tree size = TYPE_SIZE(TREE_TYPE(memory));

	if (!gimple_has_volatile_ops(it) || !TREE_THIS_VOLATILE(memory) || !size ||
	    !tree_fits_uhwi_p(size))
		return 0;
	return key_of_volatile(tree_to_uhwi(size), store);
}

static bool has_volatile_memory(rtx_insn *insn)
{
	subrtx_iterator::array_type array;

	FOR_EACH_SUBRTX(i, array, PATTERN(insn), NONCONST)
	{
		if (MEM_P(*i) && MEM_VOLATILE_P(*i))
			return true;
	}
	return false;
}

static bool is_call_or_asm(rtx_insn *insn)
{
	return CALL_P(insn) ||
	       ((NONJUMP_INSN_P(insn) || JUMP_P(insn)) && asm_noperands(PATTERN(insn)) >= 0);
}

void wp_merged_begin(void)
{
	statements.truncate(0);
}

void wp_merged_note(gimple *it)
{
	statement statement = { gimple_location(it), 0, KEY_LOCATION };

	if (statement.where == UNKNOWN_LOCATION)
		return;
	if (gasm *assembly = dyn_cast<gasm *>(it)) {
		statement.like = key_of_template(gimple_asm_string(assembly));
	} else if (is_gimple_call(it) && gimple_call_fndecl(it)) {
		statement.like = key_of_callee(gimple_call_fndecl(it));
	} else if (gimple_assign_single_p(it)) {
		statement.like = key_of_assignment(it);
		statement.found = KEY_LOAD;
	}
	if (statement.like)
		statements.safe_push(statement);
}

void wp_merged_look(void)
{
	wp_map_clear(&left);
	wp_map_clear(&merged);
	for (rtx_insn *insn = get_insns(); insn; insn = NEXT_INSN(insn)) {
		if (is_call_or_asm(insn))
			*wp_map_at(&left, wp_key(INSN_LOCATION(insn), 0, KEY_LOCATION)) = 1;
		else if (NONJUMP_INSN_P(insn) && has_volatile_memory(insn))
			*wp_map_at(&left, wp_key(INSN_LOCATION(insn), 0, KEY_LOAD)) = 1;
	}
	for (unsigned i = 0; i < statements.length(); i++) {
		if (!wp_map_get(&left, wp_key(statements[i].where, 0, statements[i].found)))
			*wp_map_at(&merged, statements[i].like) = 1;
	}
}

bool wp_merged_call(tree callee)
{
	return wp_map_get(&merged, key_of_callee(callee));
}

bool wp_merged_asm(const char *text)
{
	return wp_map_get(&merged, key_of_template(text));
}

bool wp_merged_volatile(int bits, bool store)
{
	return wp_map_get(&merged, key_of_volatile(bits, store));
}
