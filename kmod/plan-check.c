// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Checks a plan; see plan-check.h. A plan comes from user space and may be wrong, so nothing in it
 * is trusted:
 * - The joinpoint must be the aspect's own, and lie in the displaced range (the instructions that
 *   the splice covers) or right after it.
 * - The original bytes must be those in the text now.
 * - The length must be that of whole instructions.
 *
 * Two facts cannot be checked in the kernel: which registers are live, and which functions are
 * compiled from C. They are never taken from the plan, but from the table of joinpoints in the
 * aspect's module: whoever could load a module with a wrong table could load any code.
 * docs/safety.md goes through the members of a plan one by one.
 */
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/string.h>

#include "splice/around-table.h"
#include "aspect.h"
#include "splice/donor-check.h"
#include "text/function.h"
#include "parts.h"
#include "plan.h"
#include "plan-check.h"
#include "runtime/plan-rules.h"
#include "splice/slot.h"
#include "splice/splice.h"
#include "text/module-text.h"
#include "text/same-bytes.h"
#include "base/unexported.h"
#include "text/text.h"
#include "text/text-check.h"
#include "base/lock.h"
#include "base/table-memory.h"

/* How many elements of a plan are checked before other tasks may run (cond_resched()). */
enum { STEPS = 16 };

/* The state of a check, in which the elements of a plan are checked one after another. */
struct check {
	const struct wk_aspect *aspect;
	const struct wk_function *function; /* holds the current element; NULL: none */
	const struct weft_splice *before; /* the previous element; NULL: none */
	unsigned long shadow;	     /* live address of the previous element's shadow */
	/* the plan that was checked last (wk_plan_kept()); NULL: there is none */
	const struct wk_plan *accepted;
	u32 next; /* index in @accepted at which was_accepted() goes on searching */
	/* bitmap: joinpoints of the elements that were accepted so far */
	unsigned long *joinpoints;
	unsigned long *planned; /* bitmap: joinpoints of all elements */
};

/*
 * Returns the live address of the element's shadow; 0 if the aspect has no such joinpoint, its
 * entry is invalid, or the text is not there.
 */
static unsigned long shadow_of(const struct weft_splice *splice, const struct wk_aspect *aspect)
{
	const struct weft_joinpoint *joinpoint;

	if (splice->joinpoint >= aspect->nr_joinpoints)
		return 0;
	joinpoint = &aspect->module->joinpoints[splice->joinpoint];
	return joinpoint->advice < aspect->module->header->nr_advices &&
			       joinpoint->when < WEFT_WHENS
		       ? wk_part_address(aspect->parts, joinpoint)
		       : 0;
}

static enum weft_refusal why_no_shadow(const struct weft_splice *splice,
				       const struct wk_aspect *aspect)
{
	const struct wk_part *part;

	if (splice->joinpoint >= aspect->nr_joinpoints)
		return WEFT_REFUSAL_JOINPOINT;
	part = &aspect->parts[aspect->joinpoints[splice->joinpoint].part];
	if (part->base)
		return WEFT_REFUSAL_JOINPOINT;
	return part->absent == -ENXIO ? WEFT_REFUSAL_NOT_TEXT : WEFT_REFUSAL_MODULE;
}

/*
 * A live patch is unloaded as soon as the stacks of all tasks show that none is in its functions. A
 * task that is in around-advice and has not called the function yet is not seen there, and would
 * call freed memory. Other modules are not unloaded before the calls of their functions return.
 */
static bool is_in_live_patch(unsigned long shadow)
{
	struct module *module = wk_module_text_owner(shadow);

	return module && is_livepatch_module(module);
}

static enum weft_refusal check_around(const struct check *check,
				      const struct weft_joinpoint *joinpoint, unsigned long shadow)
{
	if (!wk_around_find(check->aspect->module, joinpoint))
		return WEFT_REFUSAL_JOINPOINT;
	if (is_in_live_patch(shadow))
		return WEFT_REFUSAL_LIVE_PATCH;
	return wk_text_check_entry(shadow, joinpoint->c_size);
}

/*
 * Checks around-advice of the call, or jump to another function, that is @insn. In a function that
 * opens user memory (->sanitize), this memory may be open at the call. Then no advice may run that
 * can sleep, so such functions are refused.
 */
static enum weft_refusal check_around_call(const struct check *check,
					   const struct weft_joinpoint *joinpoint,
					   const struct wr_insn *insn)
{
	const struct weft_around *around = wk_around_find(check->aspect->module, joinpoint);
	const struct wk_function *function = check->function;
	struct wr_target target;
	unsigned long thunk;

	if (!around || (around->target != WR_NONE && around->target >= WR_NR_REGISTERS))
		return WEFT_REFUSAL_JOINPOINT;
	if (is_in_live_patch(insn->address))
		return WEFT_REFUSAL_LIVE_PATCH;
	wk_insn_target(insn, &target);
	if (target.kind == WR_TARGET_NONE || function->sanitize ||
	    (target.kind != WR_TARGET_FIXED && around->target == WR_NONE))
		return WEFT_REFUSAL_NOT_CALL;
	/* A jump within the function is no call. */
	if (insn->kind == WR_INSN_JUMP && target.kind == WR_TARGET_FIXED &&
	    insn->target - function->start < function->size)
		return WEFT_REFUSAL_NOT_CALL;
	return wk_insn_thunk(insn, around->target, &thunk) ? WEFT_REFUSAL_NONE
							   : WEFT_REFUSAL_NOT_CALL;
}

/* Returns the refusal that follows from the joinpoint and its advice, not from the text. */
static enum weft_refusal check_joinpoint(const struct check *check,
					 const struct weft_joinpoint *joinpoint,
					 unsigned long shadow, const struct wk_displaced *displaced)
{
	const struct wr_insn *insn = displaced->insns;
	bool attaches_before = wk_text_attaches_before(insn->address, displaced->length, shadow);

	if (joinpoint->refusal)
		return joinpoint->refusal < WEFT_REFUSAL_COUNT ? joinpoint->refusal
							       : WEFT_REFUSAL_JOINPOINT;
	/*
	 * The splice covers instructions before the shadow, but not the shadow's own. So no advice
	 * can run after or around that instruction, and advice cannot be told which function it
	 * calls: another owner may change the call's target at any time.
	 */
	if (attaches_before && (joinpoint->when == WEFT_AFTER || wr_is_around(joinpoint->when) ||
		      check->aspect->module->advices[joinpoint->advice].needs & WR_BIT(WR_TARGET)))
		return WEFT_REFUSAL_KIND;
	if (joinpoint->when == WEFT_AROUND)
		return check_around(check, joinpoint, shadow);
	if (joinpoint->when != WEFT_AFTER && joinpoint->when != WEFT_AROUND_CALL)
		return WEFT_REFUSAL_NONE;
	while (insn->address != shadow)
		insn++;
	if (joinpoint->when == WEFT_AROUND_CALL)
		return check_around_call(check, joinpoint, insn);
	/*
	 * Advice after an instruction that may not continue at the next one would not always run.
	 */
	return insn->ends || insn->kind == WR_INSN_JUMP_COND ? WEFT_REFUSAL_GOES_ELSEWHERE
							     : WEFT_REFUSAL_NONE;
}

/*
 * Elements ascend by address, then by shadow, then by joinpoint. Elements with the same address are
 * attachments of one splice.
 */
static enum weft_refusal check_order(const struct check *check, const struct weft_splice *splice,
				     unsigned long shadow)
{
	const struct weft_splice *before = check->before;

	if (!before)
		return WEFT_REFUSAL_NONE;
	if (splice->address != before->address) {
		if (splice->address < before->address)
			return WEFT_REFUSAL_ORDER;
		return splice->address - before->address < before->length ? WEFT_REFUSAL_OVERLAP
									  : WEFT_REFUSAL_NONE;
	}
	if (shadow < check->shadow ||
	    (shadow == check->shadow && splice->joinpoint <= before->joinpoint))
		return WEFT_REFUSAL_ORDER;
	if (splice->kind != before->kind || splice->length != before->length ||
	    splice->slot != before->slot)
		return WEFT_REFUSAL_KIND;
	return WEFT_REFUSAL_NONE;
}

/*
 * Sizes in bytes of the C functions that hold the displaced range and the slot; 0: unknown.
 * wk_is_single_entry() needs them. They come from the table of joinpoints in the aspect's module,
 * which has them for one displaced range and one slot of each joinpoint. If the plan has another
 * range or slot, the sizes are unknown.
 */
struct c_size {
	u32 displaced, slot;
};

static struct c_size find_c_sizes(const struct weft_joinpoint *joinpoint,
			    const struct weft_splice *splice, unsigned long shadow)
{
	if (joinpoint->before != shadow - splice->address ||
	    joinpoint->displaced != splice->length || joinpoint->slot != splice->slot)
		return (struct c_size){ 0 };
	return (struct c_size){ .displaced = joinpoint->c_size, .slot = joinpoint->slot_c_size };
}

static bool overlap(unsigned long a, unsigned int a_size, unsigned long b, unsigned int b_size)
{
	return a < b + b_size && b < a + a_size;
}

static unsigned long slot_of(const struct weft_splice *splice)
{
	return splice->address + WEFT_SHORT_SIZE + splice->slot;
}

/*
 * Checks the slot of a springboard: the five bytes, within reach of its short jump, that hold the
 * jump to the trampoline. A slot may lie in padding, or in another splice, the donor, after that
 * splice's own jump. For a donor, sets ret->donor. If two springboards of the plan want the same
 * padding, verify() in weave.c refuses them.
 */
static enum weft_refusal check_slot(const struct weft_splice *splice, u32 c_size,
				    struct wk_found *ret)
{
	unsigned long slot = slot_of(splice), donor = slot - WEFT_JUMP_SIZE;
	struct wk_displaced displaced;

	if (splice->slot < S8_MIN || splice->slot > S8_MAX)
		return WEFT_REFUSAL_SLOT;
	if (wk_donor_fits_padding(slot, c_size))
		return WEFT_REFUSAL_NONE;
	if (!wk_donor_find(splice->address, slot, c_size, &displaced) ||
	    overlap(donor, displaced.length, splice->address, splice->length))
		return WEFT_REFUSAL_SLOT;
	ret->donor = displaced.length;
	return WEFT_REFUSAL_NONE;
}

/* May a splice of @kind cover the range @displaced? */
static bool fits(const struct wk_displaced *displaced, enum weft_splice_kind kind)
{
	switch (kind) {
	case WEFT_SPLICE_TRAP:
		return displaced->nr == 1;
	case WEFT_SPLICE_CALL:
		return displaced->nr == 1 && displaced->insns[0].kind == WR_INSN_CALL &&
		       displaced->length == WEFT_JUMP_SIZE;
	case WEFT_SPLICE_JUMP:
		return displaced->length >= WEFT_JUMP_SIZE;
	case WEFT_SPLICE_SPRINGBOARD:
		return displaced->length >= WEFT_SHORT_SIZE;
	default:
		return false;
	}
}

/*
 * Does an existing splice or slot prevent the planned one? If a splice already serves the shadow
 * (wk_splice_for_shadow()), the advice is attached to it, whatever kind and length the plan says.
 */
static enum weft_refusal check_others(const struct weft_splice *planned, unsigned long shadow,
				      const struct wk_displaced *displaced)
{
	const struct wk_splice *serving = wk_splice_for_shadow(planned, shadow);

	if (serving)
		return wk_state_is_blocked(serving->state) ? WEFT_REFUSAL_KPROBE
							   : WEFT_REFUSAL_NONE;
	if (wk_splice_overlaps(planned->address, planned->length) ||
	    wk_slot_overlaps(planned->address, planned->length, NULL))
		return WEFT_REFUSAL_OVERLAP;
	return fits(displaced, planned->kind) ? WEFT_REFUSAL_NONE : WEFT_REFUSAL_KIND;
}

static enum weft_refusal check_splice(struct check *check, const struct weft_splice *splice,
				      unsigned long shadow, struct wk_found *found)
{
	const struct weft_joinpoint *joinpoint;
	u8 bytes[WEFT_DISPLACED_MAX];
	struct wk_displaced displaced;
	struct c_size c_size;
	enum weft_refusal refusal = check_order(check, splice, shadow);

	if (refusal)
		return refusal;
	if (splice->kind >= WEFT_SPLICE_KINDS || !splice->length ||
	    splice->length > WEFT_DISPLACED_MAX ||
	    (splice->kind == WEFT_SPLICE_SPRINGBOARD) != (splice->slot != 0))
		return WEFT_REFUSAL_KIND;
	if (!shadow)
		return why_no_shadow(splice, check->aspect);
	if (shadow - splice->address > splice->length)
		return WEFT_REFUSAL_JOINPOINT;
	joinpoint = &check->aspect->module->joinpoints[splice->joinpoint];
	c_size = find_c_sizes(joinpoint, splice, shadow);
	refusal = wk_text_check(splice, shadow, c_size.displaced, &check->function, &displaced);
	found->sanitize = check->function && check->function->sanitize;
	if (!refusal)
		refusal = check_others(splice, shadow, &displaced);
	if (!refusal)
		refusal = check_joinpoint(check, joinpoint, shadow, &displaced);
	if (refusal)
		return refusal;
	/* An existing splice that serves the shadow needs no slot for it. */
	if (splice->kind == WEFT_SPLICE_SPRINGBOARD && !wk_splice_for_shadow(splice, shadow))
		refusal = check_slot(splice, c_size.slot, found);
	if (refusal)
		return refusal;
	wk_displaced_bytes(&displaced, bytes);
	return wk_same_bytes(splice->old, bytes, displaced.length) ? WEFT_REFUSAL_NONE
								   : WEFT_REFUSAL_CHANGED;
}

/*
 * Returns whether the kept plan (wk_plan_kept()) has an identical element that was accepted. If so,
 * the element need not be checked again. No splice was added or removed since then, so only three
 * things can have changed:
 * - The bytes of the element, and kprobes. They are verified again before anything is written
 *   (weave.c).
 * - The element's neighbours in the plan. check_order() and check_donors() check them again.
 * - Functions, symbols and tables. They change only when a module is unloaded, and then the kept
 *   plan is dropped (part-life.c).
 *
 * The weaver drops refused elements and keeps the order of the rest, so a single pass over both
 * plans finds all pairs. An element that is out of order is not found, and is checked again.
 */
static bool was_accepted(struct check *check, const struct weft_splice *splice,
			 struct wk_found *ret)
{
	const struct wk_plan *kept = check->accepted;
	u32 *i = &check->next;

	if (!kept)
		return false;
	while (*i < kept->nr &&
	       (kept->splices[*i].refusal || kept->splices[*i].address < splice->address))
		++*i;
	if (*i == kept->nr || !wk_same_bytes(&kept->splices[*i], splice, sizeof(*splice)))
		return false;
	*ret = kept->found[(*i)++];
	return true;
}

/* ---- checking donors in the plan ------------------------------------------------------------- */

/*
 * Elements whose addresses differ by this many bytes or more cannot affect each other's donors.
 * What an element writes to lies at most a short jump, a slot and two displaced ranges away from
 * its address.
 */
enum { DONOR_REACH = 2 * (S8_MAX + WEFT_SHORT_SIZE + WEFT_JUMP_SIZE + 2 * WEFT_DISPLACED_MAX) };

/*
 * Does element @index write to bytes of a donor, whose displaced range is @size bytes at @start? An
 * element with the donor's own address and length does not count: it is an attachment of the donor.
 */
static bool disturbs(const struct wk_plan *plan, u32 index, unsigned long start, unsigned int size)
{
	const struct weft_splice *splice = &plan->splices[index];
	unsigned int donor = plan->found[index].donor;
	unsigned long slot = slot_of(splice);

	if (splice->refusal || (splice->kind == WEFT_SPLICE_JUMP && splice->address == start &&
				splice->length == size))
		return false;
	if (overlap(start, size, splice->address, splice->length))
		return true;
	return splice->kind == WEFT_SPLICE_SPRINGBOARD &&
	       overlap(start, size, donor ? slot - WEFT_JUMP_SIZE : slot,
		       donor ? donor : WEFT_JUMP_SIZE);
}

/*
 * For each address, the first element that was not refused: an array of their indices, ascending
 * by address. The search below looks only at these elements, because an address may have up to a
 * million elements, and a search through all of them would take quadratic time. In a plan that is
 * not in ascending order, some elements are left out here; such a plan is refused anyway.
 */
struct heads {
	u32 *index; /* array of indices into the plan's elements */
	u32 nr;
};

static int find_heads(const struct wk_plan *plan, struct heads *ret)
{
	unsigned long last = 0;

	ret->nr = 0;
	ret->index = kvmalloc_array(plan->nr, sizeof(*ret->index), WK_GFP_TABLE);
	if (!ret->index)
		return -ENOMEM;
	for (u32 i = 0; i < plan->nr; i++) {
		if (plan->splices[i].refusal || plan->splices[i].address <= last)
			continue;
		last = plan->splices[i].address;
		ret->index[ret->nr++] = i;
	}
	return 0;
}

static bool is_undisturbed(const struct wk_plan *plan, const struct heads *heads, u32 head)
{
	u32 index = heads->index[head];
	unsigned long address = plan->splices[index].address;
	unsigned long start = slot_of(&plan->splices[index]) - WEFT_JUMP_SIZE;
	unsigned int size = plan->found[index].donor;

	for (u32 i = head; i-- && address - plan->splices[heads->index[i]].address < DONOR_REACH;)
		if (disturbs(plan, heads->index[i], start, size))
			return false;
	for (u32 i = head + 1;
	     i < heads->nr && plan->splices[heads->index[i]].address - address < DONOR_REACH; i++)
		if (disturbs(plan, heads->index[i], start, size))
			return false;
	return true;
}

static void refuse_donors(struct wk_plan *plan, u32 index)
{
	unsigned long address = plan->splices[index].address;

	for (; index < plan->nr && plan->splices[index].address == address; index++)
		if (!plan->splices[index].refusal)
			plan->splices[index].refusal = WEFT_REFUSAL_SLOT;
}

/*
 * Refuses springboards whose donors are disturbed: a donor serves one springboard, and no other
 * element of the plan may write to it. Splices of other weaves were checked by check_slot().
 */
static int check_donors(struct wk_plan *plan)
{
	struct heads heads;
	int ret = find_heads(plan, &heads);

	if (ret)
		return ret;
	for (u32 i = 0; i < heads.nr; i++) {
		if (!(i % STEPS))
			cond_resched();
		if (plan->found[heads.index[i]].donor && !is_undisturbed(plan, &heads, i))
			refuse_donors(plan, heads.index[i]);
	}
	kvfree(heads.index);
	return 0;
}

static void check_element(struct check *check, struct wk_plan *plan, u32 index)
{
	struct weft_splice *splice = &plan->splices[index];
	struct wk_found *found = &plan->found[index];
	unsigned long shadow = shadow_of(splice, check->aspect);

	plan->stale |= splice->refusal != WEFT_REFUSAL_NONE;
	if (was_accepted(check, splice, found))
		splice->refusal = check_order(check, splice, shadow);
	else
		splice->refusal = check_splice(check, splice, shadow, found);
	/*
	 * Each joinpoint may be in one element only. With two splices, one over the shadow and one
	 * that is attached before it, the joinpoint would be hit twice.
	 */
	if (!splice->refusal && __test_and_set_bit(splice->joinpoint, check->joinpoints))
		splice->refusal = WEFT_REFUSAL_ORDER;
	check->before = splice;
	check->shadow = shadow;
}

/*
 * A process that has asked for a weave may be killed meanwhile, which ends the check. If the plan
 * is for a module that is being loaded, the process that loads it has not asked for the weave, and
 * a signal does not stop the loading: so signals are ignored then.
 */
static int check_elements(struct check *check, struct wk_plan *plan)
{
	for (u32 i = 0; i < plan->nr; i++) {
		if (!(i % STEPS)) {
			cond_resched();
			if (!plan->module && fatal_signal_pending(current))
				return -EINTR;
		}
		check_element(check, plan, i);
	}
	return 0;
}

static bool has_partners(const struct wk_aspect *aspect)
{
	for (u32 i = 0; i < aspect->nr_joinpoints; i++)
		if (aspect->joinpoints[i].returns)
			return true;
	return false;
}

static void note_planned(struct check *check, const struct wk_plan *plan)
{
	for (u32 i = 0; i < plan->nr; i++) {
		cond_resched();
		if (plan->splices[i].joinpoint < check->aspect->nr_joinpoints)
			__set_bit(plan->splices[i].joinpoint, check->planned);
	}
}

/*
 * Some advice runs where a call returns, and only if the call was noted before (struct
 * weft_joinpoint.returns). So the joinpoint that notes the call and the joinpoint with the advice
 * are partners. Refuses each element whose partner is not in the plan at all. An element whose
 * partner is in the plan but refused is not refused here, since the partner may still get another
 * splice.
 */
static void check_partners(struct check *check, struct wk_plan *plan)
{
	const struct wk_aspect *aspect = check->aspect;

	if (!has_partners(aspect))
		return;
	note_planned(check, plan);
	for (u32 i = 0; i < plan->nr; i++) {
		u32 index = plan->splices[i].joinpoint, other;

		cond_resched();
		if (plan->splices[i].refusal || !aspect->joinpoints[index].returns)
			continue;
		other = wr_plan_partner(aspect->joinpoints, aspect->nr_joinpoints, index);
		if (other == aspect->nr_joinpoints || !test_bit(other, check->planned))
			plan->splices[i].refusal = WEFT_REFUSAL_JOINS;
	}
}

int wk_plan_check(struct wk_plan *plan, const struct wk_aspect *aspect)
{
	struct check check = { .aspect = aspect, .accepted = wk_plan_kept(aspect) };
	const size_t longs = BITS_TO_LONGS(aspect->nr_joinpoints);
	int ret;

	wk_assert_locked();
	check.joinpoints = kvcalloc(2 * longs, sizeof(long), WK_GFP_TABLE);
	if (!check.joinpoints)
		return -ENOMEM;
	check.planned = check.joinpoints + longs;
	wk_parts_find(aspect);
	wk_functions_begin();
	wk_text_look_for_kprobes(false);
	ret = check_elements(&check, plan);
	wk_text_forget_kprobes();
	if (!ret)
		check_partners(&check, plan);
	kvfree(check.joinpoints);
	if (!ret)
		ret = check_donors(plan);
	for (u32 i = 0; i < plan->nr; i++)
		plan->nr_refused += plan->splices[i].refusal != WEFT_REFUSAL_NONE;
	return ret;
}
