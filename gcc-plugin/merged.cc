// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A statement of the last GIMPLE that has no instruction in the last RTL was merged with another
 * one, or is dead. Which one it was merged with is not known: so it may be each that calls the same
 * function, or has the same template.
 */
#include "gcc-compat.h"
#include "joinpoints.h"
#include "merged.h"

enum key_kind { KEY_LOCATION = 1, KEY_CALLEE, KEY_TEMPLATE };

struct statement {
	location_t where; /* with its block */
	uint64_t like; /* key of its callee or template */
};

static vec<statement> statements;
static struct wp_map left; /* locations */
static struct wp_map merged; /* keys of callees and templates */

static uint64_t key_of_callee(tree callee)
{
	return wp_key(DECL_UID(callee), 0, KEY_CALLEE);
}

static uint64_t key_of_template(const char *text)
{
	return wp_key(wp_key_of_string(text), 0, KEY_TEMPLATE);
}

void wp_merged_begin(void)
{
	statements.truncate(0);
}

void wp_merged_note(gimple *it)
{
	statement statement = { gimple_location(it), 0 };

	if (statement.where == UNKNOWN_LOCATION)
		return;
	if (gasm *assembly = dyn_cast<gasm *>(it))
		statement.like = key_of_template(gimple_asm_string(assembly));
	else if (is_gimple_call(it) && gimple_call_fndecl(it))
		statement.like = key_of_callee(gimple_call_fndecl(it));
	if (statement.like)
		statements.safe_push(statement);
}

void wp_merged_look(void)
{
	wp_map_clear(&left);
	wp_map_clear(&merged);
	for (rtx_insn *insn = get_insns(); insn; insn = NEXT_INSN(insn)) {
		if (CALL_P(insn) || (NONJUMP_INSN_P(insn) && asm_noperands(PATTERN(insn)) >= 0) ||
		    (JUMP_P(insn) && asm_noperands(PATTERN(insn)) >= 0))
			*wp_map_at(&left, wp_key(INSN_LOCATION(insn), 0, KEY_LOCATION)) = 1;
	}
	for (unsigned i = 0; i < statements.length(); i++) {
		if (!wp_map_get(&left, wp_key(statements[i].where, 0, KEY_LOCATION)))
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
