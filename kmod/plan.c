// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Checking a plan. It comes from a program that may be wrong, so nothing in it is believed: the
 * joinpoint must be one of the aspect's own and lie in the window, the bytes must be
 * the live ones, the length the decoder's.
 */
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "aspect.h"
#include "plan.h"
#include "slot.h"
#include "splice.h"
#include "symbols.h"
#include "text.h"

/*
 * What was checked last, for the weave that follows. Of an element that was accepted then, as long as no splice has come or gone,
 * nothing can be otherwise but bytes, kprobes and its neighbours in the plan; bytes and kprobes are verified before they are
 * written (weave.c), the neighbours looked at again here. The rest, functions, symbols and tables, does not change after boot.
 */
static struct {
	const struct wk_aspect *aspect; /* NULL: nothing is kept */
	u64 generation;			/* wk_splice_generation() */
	struct wk_plan plan;
} checked;

/* On the way through a plan. */
struct check {
	const struct wk_aspect *aspect;
	const struct wk_function *function; /* of the last splice; NULL: none */
	const struct weft_splice *before; /* the last; NULL: none */
	unsigned long shadow;	     /* its joinpoint's address */
	u32 kept;		     /* the first element of checked.plan that may still come */
};

/* The address of the joinpoint; 0 where the aspect has none of that index, or a broken one. */
static unsigned long shadow_of(const struct weft_splice *splice, const struct wk_aspect *aspect)
{
	const struct weft_joinpoint *joinpoint;

	if (splice->joinpoint >= aspect->nr_joinpoints)
		return 0;
	joinpoint = &aspect->module->joinpoints[splice->joinpoint];
	return joinpoint->advice < aspect->module->header->nr_advices && joinpoint->when < WEFT_WHENS ?
		       wk_symbols.text + joinpoint->text_offset : 0;
}

/* What is refused whatever the splice, for what the joinpoint is. */
static enum weft_refusal check_joinpoint(const struct weft_joinpoint *joinpoint, unsigned long shadow,
					 const struct wk_window *window)
{
	const struct wr_insn *insn = window->insns;

	if (joinpoint->refusal)
		return joinpoint->refusal < WEFT_REFUSAL_COUNT ? joinpoint->refusal : WEFT_REFUSAL_JOINPOINT;
	if (joinpoint->when != WEFT_AFTER)
		return WEFT_REFUSAL_NONE;
	while (insn->address != shadow)
		insn++;
	/* Behind an instruction that goes on elsewhere, or may, advice would not run, or not always. */
	return insn->ends || insn->kind == WR_INSN_JUMP_COND ? WEFT_REFUSAL_GOES_ELSEWHERE : WEFT_REFUSAL_NONE;
}

/* An address may come again, for another joinpoint: one splice then has several uses. */
static enum weft_refusal check_order(const struct check *check, const struct weft_splice *splice, unsigned long shadow)
{
	const struct weft_splice *before = check->before;

	if (!before)
		return WEFT_REFUSAL_NONE;
	if (splice->address != before->address) {
		if (splice->address < before->address)
			return WEFT_REFUSAL_ORDER;
		return splice->address - before->address < before->length ? WEFT_REFUSAL_OVERLAP : WEFT_REFUSAL_NONE;
	}
	if (shadow < check->shadow || (shadow == check->shadow && splice->joinpoint <= before->joinpoint))
		return WEFT_REFUSAL_ORDER;
	if (splice->kind != before->kind || splice->length != before->length || splice->slot != before->slot)
		return WEFT_REFUSAL_KIND;
	return WEFT_REFUSAL_NONE;
}

/* Slots that two splices of the plan want are found when it is applied. */
static enum weft_refusal check_slot(const struct weft_splice *splice)
{
	if (splice->slot < S8_MIN || splice->slot > S8_MAX)
		return WEFT_REFUSAL_SLOT;
	return wk_slot_check(splice->address + WEFT_SHORT_SIZE + splice->slot);
}

static enum weft_refusal check_splice(struct check *check, const struct weft_splice *splice, unsigned long shadow)
{
	u8 bytes[WEFT_WINDOW_MAX];
	struct wk_window window;
	enum weft_refusal refusal = check_order(check, splice, shadow);

	if (refusal)
		return refusal;
	if (splice->kind >= WEFT_SPLICE_KINDS || !splice->length || splice->length > WEFT_WINDOW_MAX ||
	    (splice->kind == WEFT_SPLICE_BOUNCE) != (splice->slot != 0))
		return WEFT_REFUSAL_KIND;
	if (!shadow || shadow - splice->address >= splice->length)
		return WEFT_REFUSAL_JOINPOINT;
	refusal = wk_text_check(splice, shadow, &check->function, &window);
	if (refusal)
		return refusal;
	refusal = check_joinpoint(&check->aspect->module->joinpoints[splice->joinpoint], shadow, &window);
	if (refusal)
		return refusal;
	/* In the window of a splice that is there it will need none. */
	if (splice->kind == WEFT_SPLICE_BOUNCE && !wk_splice_covering(shadow))
		refusal = check_slot(splice);
	if (refusal)
		return refusal;
	wk_window_bytes(&window, bytes);
	return memcmp(splice->old, bytes, window.length) ? WEFT_REFUSAL_CHANGED : WEFT_REFUSAL_NONE;
}

void wk_plan_forget(void)
{
	if (checked.aspect)
		wk_plan_deinit(&checked.plan);
	checked.aspect = NULL;
}

void wk_plan_keep(struct wk_plan *plan, const struct wk_aspect *aspect)
{
	wk_plan_forget();
	checked.aspect = aspect;
	checked.generation = wk_splice_generation();
	checked.plan = *plan;
	memset(plan, 0, sizeof(*plan));
}

/* Was the same accepted before? Both plans ascend. */
static bool was_accepted(struct check *check, const struct weft_splice *splice, bool *careful_ret)
{
	const struct wk_plan *kept = &checked.plan;

	if (checked.aspect != check->aspect || checked.generation != wk_splice_generation())
		return false;
	while (check->kept < kept->nr && kept->splices[check->kept].address < splice->address)
		check->kept++;
	for (u32 i = check->kept; i < kept->nr && kept->splices[i].address == splice->address; i++) {
		if (memcmp(&kept->splices[i], splice, sizeof(*splice)))
			continue;
		*careful_ret = kept->careful[i];
		return true;
	}
	return false;
}

static int check_all(struct wk_plan *plan, const struct wk_aspect *aspect)
{
	struct check check = { .aspect = aspect };
	int ret = 0;

	wk_functions_begin();
	for (u32 i = 0; i < plan->nr; i++) {
		struct weft_splice *splice = &plan->splices[i];
		unsigned long shadow = shadow_of(splice, aspect);

		if (fatal_signal_pending(current)) {
			ret = -EINTR;
			break;
		}
		splice->refusal = WEFT_REFUSAL_NONE;
		if (was_accepted(&check, splice, &plan->careful[i])) {
			splice->refusal = check_order(&check, splice, shadow);
		} else {
			splice->refusal = check_splice(&check, splice, shadow);
			plan->careful[i] = check.function && check.function->careful;
		}
		plan->nr_refused += splice->refusal != WEFT_REFUSAL_NONE;
		check.before = splice;
		check.shadow = shadow;
		cond_resched();
	}
	return ret;
}

int wk_plan_init(struct wk_plan *plan, const struct weft_weave *request,
		 const struct wk_aspect *aspect)
{
	int ret = -ENOMEM;

	memset(plan, 0, sizeof(*plan));
	if (!request->nr_splices)
		return -EINVAL;
	if (request->nr_splices > WEFT_PLAN_MAX)
		return -E2BIG;
	plan->nr = request->nr_splices;
	plan->splices = kvmalloc_array(plan->nr, sizeof(*plan->splices), GFP_KERNEL);
	plan->careful = kvcalloc(plan->nr, sizeof(*plan->careful), GFP_KERNEL);
	if (!plan->splices || !plan->careful)
		goto err_free;
	ret = -EFAULT;
	if (copy_from_user(plan->splices, u64_to_user_ptr(request->splices),
			   plan->nr * sizeof(*plan->splices)))
		goto err_free;
	ret = check_all(plan, aspect);
	if (ret)
		goto err_free;
	return 0;

err_free:
	wk_plan_deinit(plan);
	return ret;
}

void wk_plan_deinit(struct wk_plan *plan)
{
	kvfree(plan->splices);
	kvfree(plan->careful);
	plan->splices = NULL;
	plan->careful = NULL;
}

int wk_plan_report(const struct wk_plan *plan, const struct weft_weave *request)
{
	return copy_to_user(u64_to_user_ptr(request->splices), plan->splices,
			    plan->nr * sizeof(*plan->splices))
		       ? -EFAULT
		       : 0;
}
