// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Checking a plan. It comes from a program that may be wrong, so nothing in it is believed: the
 * address must be the one that the aspect's own table gives for the joinpoint, the bytes must be
 * the live ones, the length the decoder's.
 */
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "aspect.h"
#include "plan.h"
#include "symbols.h"
#include "text.h"

static enum weft_refusal check_joinpoint(const struct weft_splice *splice,
					 const struct wk_aspect *aspect)
{
	const struct weft_joinpoint *joinpoint;

	if (splice->joinpoint >= aspect->nr_joinpoints)
		return WEFT_REFUSAL_JOINPOINT;
	joinpoint = &aspect->module->joinpoints[splice->joinpoint];
	if (joinpoint->advice >= aspect->module->header->nr_advices ||
	    splice->address != wk_symbols.text + joinpoint->text_offset)
		return WEFT_REFUSAL_JOINPOINT;
	return WEFT_REFUSAL_NONE;
}

static enum weft_refusal check_splice(const struct weft_splice *splice,
				      const struct weft_splice *before,
				      const struct wk_aspect *aspect, struct wk_function *function)
{
	u8 bytes[WEFT_WINDOW_MAX];
	struct wk_window window;
	enum weft_refusal refusal = check_joinpoint(splice, aspect);

	if (refusal)
		return refusal;
	/*
	 * The same address may come again, for another joinpoint: one splice then has several uses.
	 */
	if (before &&
	    (splice->address < before->address ||
	     (splice->address == before->address && splice->joinpoint <= before->joinpoint)))
		return WEFT_REFUSAL_ORDER;
	if (splice->kind >= WEFT_SPLICE_KINDS || !splice->length || splice->length > WEFT_WINDOW_MAX ||
	    splice->reserved[0] || splice->reserved[1])
		return WEFT_REFUSAL_KIND;
	refusal = wk_text_check(splice, function, &window);
	if (refusal)
		return refusal;
	wk_window_bytes(&window, bytes);
	return memcmp(splice->old, bytes, window.length) ? WEFT_REFUSAL_CHANGED : WEFT_REFUSAL_NONE;
}

static int check_all(struct wk_plan *plan, const struct wk_aspect *aspect)
{
	struct wk_function function = { 0 };
	int ret = 0;

	for (u32 i = 0; i < plan->nr; i++) {
		struct weft_splice *splice = &plan->splices[i];

		if (fatal_signal_pending(current)) {
			ret = -EINTR;
			break;
		}
		splice->refusal = check_splice(splice, i ? splice - 1 : NULL, aspect, &function);
		plan->careful[i] = function.careful;
		plan->nr_refused += splice->refusal != WEFT_REFUSAL_NONE;
		cond_resched();
	}
	wk_function_deinit(&function);
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
