// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Calls through members: follows a call's function pointer back to the load that defines it. This
 * runs on the last GIMPLE before expansion, after inlining and value numbering, while definitions
 * are still explicit in SSA. The last RTL pass finds a call's statement again by location: a call
 * statement and its RTL instruction have the same location, block included, and no other statement
 * of the function has it.
 *
 * A call that is written through a member (`p->f(x)`) is found by the call expression's location
 * alone, even if its target has become a constant. Following definitions finds calls through a
 * variable (`f = p->f; f(x)`), and the loads that `p->f(x)` uses.
 */
#include "gcc-compat.h"
#include "joinpoints.h"
#include "merged.h"
#include "reference.h"

/*
 * Maximum number of definitions that are followed for one call: in a state machine there may be
 * very many.
 */
#define CHASE_MAX 64

/* A call statement of the current function. */
struct site {
	location_t where; /* with its block (not reduced by wp_pure()) */
	tree callee; /* the function that a direct call calls; NULL for an indirect call */
	unsigned access;
	unsigned next; /* index in sites of the next one at the same location; 0 ends the list */
};

static vec<site> sites;
static struct wp_map sites_by_location;
static struct wp_map fed; /* access that loads a function pointer -> access that calls it */

static void site_add(gimple *call, tree callee, unsigned access)
{
	site site = { gimple_location(call), callee, access, 0 };
	unsigned *at = wp_map_at(&sites_by_location, wp_key(site.where, 0, 0));

	site.next = *at;
	for (unsigned i = *at; i; i = sites[i].next) {
		if (sites[i].access == access && sites[i].callee == callee)
			return;
	}
	*at = sites.length();
	sites.safe_push(site);
}

/* Follows a pointer's definitions to loads of members, and appends the access of each load. */
static void chase(tree pointer, auto_vec<unsigned> *accesses_ret)
{
	auto_vec<tree, CHASE_MAX> work;

	work.safe_push(pointer);
	for (unsigned i = 0; i < work.length() && work.length() < CHASE_MAX; i++) {
		tree name = work[i];

		if (TREE_CODE(name) != SSA_NAME)
			continue;
		gimple *definition = SSA_NAME_DEF_STMT(name);

		if (gphi *phi = dyn_cast<gphi *>(definition)) {
			for (unsigned k = 0; k < gimple_phi_num_args(phi); k++) {
				if (!work.contains(gimple_phi_arg_def(phi, k)))
					work.safe_push(gimple_phi_arg_def(phi, k));
			}
		} else if (!is_gimple_assign(definition)) {
			continue;
		} else if (gimple_assign_load_p(definition)) {
			unsigned access = wp_access_of_reference(
				definition, gimple_assign_rhs1(definition), WEFT_EFFECT_LOAD);

			if (access)
				accesses_ret->safe_push(access);
		} else if (gimple_assign_ssa_name_copy_p(definition) ||
			   gimple_assign_cast_p(definition)) {
			if (!work.contains(gimple_assign_rhs1(definition)))
				work.safe_push(gimple_assign_rhs1(definition));
		}
	}
}

static void indirect_call(gimple *call, unsigned written)
{
	auto_vec<unsigned> loads;

	chase(gimple_call_fn(call), &loads);
	if (written)
		site_add(call, NULL_TREE, written);
	for (unsigned i = 0; i < loads.length(); i++) {
		if (!written)
			site_add(call, NULL_TREE, loads[i]);
		else if (loads[i] != written)
			*wp_map_at(&fed, loads[i]) = written;
	}
}

static void look_at_call(gimple *call)
{
	tree callee = gimple_call_fndecl(call);
	unsigned written;

	if (gimple_call_internal_p(call) || gimple_location(call) == UNKNOWN_LOCATION)
		return;
	written = wp_call_find(wp_pure(gimple_location(call)));
	if (!callee)
		indirect_call(call, written);
	/*
	 * Skip calls that the compiler has added (instrumentation). Their location is that of the
	 * code that they instrument.
	 */
	else if (written && !DECL_ARTIFICIAL(callee) && !fndecl_built_in_p(callee))
		site_add(call, callee, written);
}

namespace
{
const pass_data calls_data = {
	GIMPLE_PASS, "weft_calls", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0};

class calls_pass : public gimple_opt_pass
{
      public:
	calls_pass(gcc::context *context) : gimple_opt_pass(calls_data, context)
	{
	}
	unsigned int execute(function *) final override;
};

unsigned int calls_pass::execute(function *function)
{
	site none = {};
	basic_block block;

	sites.truncate(0);
	sites.safe_push(none);
	wp_map_clear(&sites_by_location);
	wp_map_clear(&fed);
	wp_mark_function_emitted(function->decl);
	wp_merged_begin();
	FOR_EACH_BB_FN(block, function)
	{
		for (gimple_stmt_iterator i = gsi_start_bb(block); !gsi_end_p(i); gsi_next(&i)) {
			wp_merged_note(gsi_stmt(i));
			if (is_gimple_call(gsi_stmt(i)))
				look_at_call(gsi_stmt(i));
		}
	}
	return 0;
}
} // namespace

opt_pass *wp_calls_pass_create(gcc::context *context)
{
	return new calls_pass(context);
}

void wp_calls_of_insn(rtx_insn *insn, void (*found)(unsigned access, void *data), void *data)
{
	rtx call = get_call_rtx_from(insn);
	rtx target = call ? XEXP(XEXP(call, 0), 0) : NULL_RTX;
	unsigned i = wp_map_get(&sites_by_location, wp_key(INSN_LOCATION(insn), 0, 0));

	for (; target && i; i = sites[i].next) {
		const site *it = &sites[i];

		if (it->callee ? GET_CODE(target) == SYMBOL_REF &&
					 SYMBOL_REF_DECL(target) == it->callee
			       : GET_CODE(target) != SYMBOL_REF)
			found(it->access, data);
	}
}

unsigned wp_calls_fed_by(unsigned access)
{
	return wp_map_get(&fed, access);
}
