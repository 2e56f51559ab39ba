// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Notes which instructions are on each way through a function to another instruction, right before
 * GCC forgets the function's blocks. Later passes do not move instructions to other blocks.
 */
#include "gcc-compat.h"
#include "fate.h"

/* Where an instruction is. */
struct position {
	/*
	 * Two numbers of the instruction's block. The numbers of all blocks that this block
	 * dominates lie between them. 0: unknown.
	 */
	unsigned first, last;
	unsigned order; /* its position in the function */
};

static vec<position> positions; /* by INSN_UID */
static unsigned places_of; /* DECL_UID of the function */

static const position *position_of(int uid)
{
	bool known = DECL_UID(current_function_decl) == places_of &&
		     (unsigned)uid < positions.length() && positions[uid].first;

	return known ? &positions[uid] : NULL;
}

bool wp_way_leads_through(int uid, int to)
{
	const position *a = position_of(uid), *b = position_of(to);

	if (uid == to || !a || !b)
		return uid == to;
	return a->first == b->first ? a->order < b->order
				    : a->first < b->first && b->last < a->last;
}

static void note_positions(function *function)
{
	unsigned order = 0;
	basic_block block;

	positions.truncate(0);
	positions.safe_grow_cleared(get_max_uid());
	places_of = DECL_UID(function->decl);
	FOR_EACH_BB_FN(block, function)
	{
		position it = { bb_dom_dfs_in(CDI_DOMINATORS, block),
				bb_dom_dfs_out(CDI_DOMINATORS, block), 0 };
		rtx_insn *insn;

		FOR_BB_INSNS(block, insn)
		{
			it.order = ++order;
			positions[INSN_UID(insn)] = it;
		}
	}
}

namespace
{
const pass_data way_data = { RTL_PASS, "weft_ways", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0 };

class way_pass : public rtl_opt_pass
{
      public:
	way_pass(gcc::context *context) : rtl_opt_pass(way_data, context)
	{
	}
	unsigned int execute(function *) final override;
};

unsigned int way_pass::execute(function *function)
{
	bool known = dom_info_available_p(CDI_DOMINATORS);

	calculate_dominance_info(CDI_DOMINATORS);
	note_positions(function);
	if (!known)
		free_dominance_info(CDI_DOMINATORS);
	return 0;
}
} // namespace

void wp_fate_way_init(const char *name)
{
	register_pass_info info = { new way_pass(g), "*free_cfg", 1, PASS_POS_INSERT_BEFORE };

	register_callback(name, PLUGIN_PASS_MANAGER_SETUP, NULL, &info);
}
