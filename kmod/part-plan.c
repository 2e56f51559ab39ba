// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes the plan (the list of splices) for a module that is being loaded; see part-plan.h. The
 * weaver does the same for text that is loaded already (weaver/splice/live-plan.c), and both use
 * the functions in runtime/plan-rules.h. This plan is checked like one that the weaver has sent.
 */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sort.h>
#include <linux/string.h>

#include "aspect.h"
#include "base/lock.h"
#include "base/once-state.h"
#include "base/table-memory.h"
#include "part-plan.h"
#include "parts.h"
#include "plan-check.h"
#include "plan.h"
#include "runtime/plan-rules.h"
#include "text/insn.h"
#include "text/text.h"

static const struct weft_joinpoint *joinpoint_of(const struct wk_aspect *aspect,
						 const struct weft_splice *splice)
{
	return &aspect->joinpoints[splice->joinpoint];
}

/* Reads at most @most bytes, fewer at the end of the text. Returns the number; 0: unreadable. */
static unsigned int read_text(unsigned long address, unsigned int most, u8 *ret)
{
	unsigned long end = wk_text_end(address);

	if (!end)
		return 0;
	most = min_t(unsigned long, most, end - address);
	return wk_text_read(address, ret, most, true) ? 0 : most;
}

/*
 * Makes @splice cover only the shadow's own instruction. With @wide, and if that instruction is a
 * return with so much padding after it that a jump fits (wr_is_wide_return()), the splice covers
 * the padding, too.
 */
static void make_single(const struct wk_aspect *aspect, struct weft_splice *splice, bool wide)
{
	const struct weft_joinpoint *joinpoint = joinpoint_of(aspect, splice);
	u8 bytes[WEFT_INSN_MAX];
	unsigned int room;

	splice->address = wk_part_address(aspect->parts, joinpoint);
	splice->slot = 0;
	room = read_text(splice->address, sizeof(bytes), bytes);
	splice->length = wk_insn_length(bytes, room);
	if (wide && wr_is_wide_return(bytes, room))
		splice->length = WEFT_JUMP_SIZE;
	memcpy(splice->old, bytes, splice->length);
	splice->kind = wr_plan_kind(splice->length, bytes[0]);
	splice->refusal = WEFT_REFUSAL_NONE;
}

/*
 * Makes @splice cover the displaced range that was chosen when the aspect was compiled. Returns
 * false if there is no such range, or if its text cannot be read.
 */
static bool make_range(const struct wk_aspect *aspect, struct weft_splice *splice)
{
	const struct weft_joinpoint *joinpoint = joinpoint_of(aspect, splice);

	if (!wr_plan_range(joinpoint, splice))
		return false;
	splice->address = wk_part_address(aspect->parts, joinpoint) - joinpoint->before;
	return read_text(splice->address, splice->length, splice->old) == splice->length;
}

static bool is_single(const struct wk_aspect *aspect, const struct weft_splice *splice)
{
	unsigned int first = wk_insn_length(splice->old, splice->length);

	return !first || (first == splice->length && splice->kind != WEFT_SPLICE_SPRINGBOARD &&
			  splice->address ==
				  wk_part_address(aspect->parts, joinpoint_of(aspect, splice)));
}

/*
 * Compares two splices for sort(): by address, then by shadow, then by joinpoint, as a plan must be
 * ordered. The joinpoints of an aspect do not have this order: they are sorted by part, and the
 * parts are not sorted by address.
 */
static int in_order(const void *a_, const void *b_, const void *aspect_)
{
	const struct weft_splice *a = a_, *b = b_;
	const struct wk_aspect *aspect = aspect_;
	unsigned long left = wk_part_address(aspect->parts, joinpoint_of(aspect, a));
	unsigned long right = wk_part_address(aspect->parts, joinpoint_of(aspect, b));

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	if (left != right)
		return left < right ? -1 : 1;
	return a->joinpoint < b->joinpoint ? -1 : 1;
}

static void put_in_order(const struct wk_aspect *aspect, struct wk_plan *plan)
{
	sort_r(plan->splices, plan->nr, sizeof(*plan->splices), in_order, NULL, aspect);
}

static struct wk_part *part_of(const struct wk_aspect *aspect,
			       const struct weft_joinpoint *joinpoint)
{
	return &aspect->parts[joinpoint->part];
}

static bool is_in(const struct wk_aspect *aspect, const struct weft_joinpoint *joinpoint,
		  const struct module *module)
{
	return joinpoint->part && wk_part_is_in(aspect, part_of(aspect, joinpoint), module);
}

/*
 * Returns whether @joinpoint needs no splice any more, because its advice runs only once and has
 * already run, when the module was loaded before. If @joinpoint only notes calls for the advice of
 * another joinpoint, that one's advice is meant.
 */
static bool has_run(const struct wk_aspect *aspect, u32 joinpoint)
{
	const u8 *states = aspect->once.states;

	if (aspect->joinpoints[joinpoint].when == WEFT_CALLING)
		joinpoint = wr_plan_partner(aspect->joinpoints, aspect->nr_joinpoints, joinpoint);
	return states && joinpoint < aspect->nr_joinpoints &&
	       wk_once_state(&states[joinpoint]) == WEFT_ONCE_OUT;
}

/* Counts @joinpoint's shadow as refused. -EINVAL: the aspect cannot do without it. */
static int refuse(const struct wk_aspect *aspect, const struct weft_joinpoint *joinpoint)
{
	part_of(aspect, joinpoint)->nr_refused++;
	return joinpoint->required ? -EINVAL : 0;
}

/*
 * Puts a splice into @plan for each shadow in @module, except those that are refused, which it
 * counts, and those of advice that has run and runs only once. Shadows in the module's init
 * sections are all refused: those sections are parts of the aspect, too, but no address is ever
 * found for them.
 */
static int gather(struct wk_plan *plan, const struct wk_aspect *aspect,
		  const struct module *module)
{
	u32 most = 0;

	for (u32 i = 0; i < aspect->nr_joinpoints; i++)
		most += is_in(aspect, &aspect->joinpoints[i], module);
	plan->splices = kvcalloc(most, sizeof(*plan->splices), WK_GFP_TABLE);
	plan->found = kvcalloc(most, sizeof(*plan->found), WK_GFP_TABLE);
	if (!plan->splices || !plan->found)
		return -ENOMEM;
	for (u32 i = 0; i < aspect->nr_joinpoints; i++) {
		const struct weft_joinpoint *joinpoint = &aspect->joinpoints[i];
		struct weft_splice *splice = &plan->splices[plan->nr];

		if (!is_in(aspect, joinpoint, module) || has_run(aspect, i))
			continue;
		if (joinpoint->refusal || !part_of(aspect, joinpoint)->base) {
			int failed = refuse(aspect, joinpoint);

			if (failed)
				return failed;
			continue;
		}
		splice->joinpoint = i;
		if (!make_range(aspect, splice))
			make_single(aspect, splice, true);
		plan->nr++;
	}
	put_in_order(aspect, plan);
	return 0;
}

/*
 * Replaces each refused displaced range by the shadow's own instruction. Returns whether any range
 * was replaced.
 */
static bool narrow(struct wk_plan *plan, const struct wk_aspect *aspect)
{
	bool any = false;

	for (u32 i = 0; i < plan->nr; i++) {
		struct weft_splice *splice = &plan->splices[i];

		if (!splice->refusal || is_single(aspect, splice))
			continue;
		make_single(aspect, splice, false);
		any = true;
	}
	put_in_order(aspect, plan);
	return any;
}

/* Takes refused splices out of @plan. The others have to be checked again without them. */
static int drop_refused(struct wk_plan *plan, const struct wk_aspect *aspect)
{
	u32 kept = 0;

	for (u32 i = 0; i < plan->nr; i++) {
		const struct weft_splice *splice = &plan->splices[i];
		int failed = splice->refusal ? refuse(aspect, joinpoint_of(aspect, splice)) : 0;

		if (failed)
			return failed;
		if (!splice->refusal)
			plan->splices[kept++] = *splice;
	}
	plan->nr = kept;
	return 0;
}

static int check(struct wk_plan *plan, const struct wk_aspect *aspect)
{
	plan->nr_refused = 0;
	memset(plan->found, 0, plan->nr * sizeof(*plan->found));
	return wk_plan_check(plan, aspect);
}

int wk_part_plan_make(struct wk_plan *ret, const struct wk_aspect *aspect,
		      const struct module *module)
{
	int failed;

	wk_assert_locked();
	memset(ret, 0, sizeof(*ret));
	ret->module = module;
	failed = gather(ret, aspect, module);
	/*
	 * A shadow whose displaced range was refused still gets a splice of its own instruction,
	 * which may overlap the range of another shadow. So this is repeated until nothing changes.
	 */
	do {
		if (!failed)
			failed = check(ret, aspect);
	} while (!failed && ret->nr_refused && narrow(ret, aspect));
	while (!failed && ret->nr_refused) {
		failed = drop_refused(ret, aspect);
		if (!failed)
			failed = check(ret, aspect);
	}
	if (failed)
		wk_plan_deinit(ret);
	return failed;
}
