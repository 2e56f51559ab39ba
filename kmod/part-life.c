// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Handles modules that come and go; see part-life.h.
 *
 * The kernel calls weft.ko's notifier after all others, both when a module is loaded and when it is
 * unloaded. By then the notifiers of jump labels, static calls and kprobes have run, and have
 * written to the module's text. A notifier may refuse the module. Then the kernel calls those that
 * were called before it once more, as for a module that is unloaded; weft.ko's notifier is not
 * called at all.
 *
 * The kernel holds the lock of its list of notifiers while it calls them, and weft.ko's notifier
 * takes wk_mutex. So nobody may hold wk_mutex while the notifier is registered or unregistered.
 */
#define pr_fmt(fmt) "weft: " fmt

#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/string.h>

#include "aspect.h"
#include "base/lock.h"
#include "compat/module-layout.h"
#include "depart.h"
#include "part-life.h"
#include "part-plan.h"
#include "parts.h"
#include "plan.h"
#include "uprobes.h"
#include "splice/retire.h"
#include "text/function.h"
#include "text/module-text.h"
#include "text/sites.h"
#include "weave.h"

void wk_part_life_count_shadows(struct wk_aspect *aspect)
{
	wk_assert_locked();
	wk_metrics_count_shadows(&aspect->metrics, aspect->module, &aspect->attachments,
				 aspect->once.states);
	for (u32 i = 0; i < aspect->nr_joinpoints; i++)
		if (wk_uprobes_has(aspect->uprobes, i))
			wk_metrics_count_uprobe(&aspect->metrics, aspect->module, i);
}

/* ---- weaving a module that is loaded --------------------------------------------------------- */

/*
 * Weaves all shadows of @aspect in @module that are not refused, or none if there is an error. The
 * caller has called wk_parts_find().
 */
static int weave(struct wk_aspect *aspect, const struct module *module)
{
	struct wk_plan plan;
	int ret = wk_part_plan_make(&plan, aspect, module);

	if (ret)
		return ret;
	if (plan.nr) {
		ret = wk_parts_prepare(aspect, &plan);
		if (!ret)
			ret = wk_weave(aspect, &plan, aspect->once.states, aspect->weave);
	}
	wk_plan_deinit(&plan);
	return ret;
}

/*
 * Returns whether @aspect has splices in @module. If so, the shadows there need not be looked at
 * again: the module was loaded when the plan was made, and shadows without a splice were refused
 * then.
 */
static bool is_woven_in(const struct wk_aspect *aspect, const struct module *module)
{
	for (u32 i = 1; i < aspect->nr_parts; i++)
		if (aspect->parts[i].departure && wk_part_is_in(aspect, &aspect->parts[i], module))
			return true;
	return false;
}

/*
 * Has @aspect a part in @module that can be woven now? If the module is another build, that is
 * logged once.
 */
static bool finds(struct wk_aspect *aspect, const struct module *module)
{
	bool found = false, other = false;

	if (is_woven_in(aspect, module))
		return false;
	wk_parts_find(aspect);
	for (u32 i = 1; i < aspect->nr_parts; i++) {
		struct wk_part *part = &aspect->parts[i];

		if (!wk_part_is_in(aspect, part, module) || part->tried)
			continue;
		found |= part->base;
		other |= part->tried = part->absent == -ESTALE;
	}
	if (other)
		pr_warn("%s: the module %s that was loaded is another build than it was made for, "
			"so it is not woven there\n",
			aspect->name, module->name);
	return found;
}

/* Forgets how the last attempt to weave the parts of @aspect in @module ended. */
static void begin_try(struct wk_aspect *aspect, const struct module *module)
{
	for (u32 i = 1; i < aspect->nr_parts; i++) {
		struct wk_part *part = &aspect->parts[i];

		if (!wk_part_is_in(aspect, part, module))
			continue;
		part->tried = true;
		part->nr_refused = 0;
		part->failed = 0;
	}
}

static void note_failure(struct wk_aspect *aspect, const struct module *module, int error)
{
	pr_warn("%s: cannot be woven in the module %s, which was loaded: %d\n", aspect->name,
		module->name, error);
	for (u32 i = 1; i < aspect->nr_parts; i++)
		if (wk_part_is_in(aspect, &aspect->parts[i], module))
			aspect->parts[i].failed = error;
}

/* Returns whether @aspect has advice in @module without which its tags are wrong. */
static bool frees_objects(const struct wk_aspect *aspect, const struct module *module)
{
	for (u32 i = 0; i < aspect->nr_joinpoints; i++) {
		const struct weft_joinpoint *joinpoint = &aspect->joinpoints[i];

		if (joinpoint->required && joinpoint->part && joinpoint->part < aspect->nr_parts &&
		    wk_part_is_in(aspect, &aspect->parts[joinpoint->part], module))
			return true;
	}
	return false;
}

/*
 * Ends the tags of @aspect if @module, which is being loaded, may free tagged objects unseen: tags
 * would hold for the next objects at their addresses.
 */
static void keep_tags_right(struct wk_aspect *aspect, const struct module *module)
{
	if (aspect->state != WEFT_STATE_WOVEN || !aspect->tags.nr || aspect->tags.lost ||
	    is_woven_in(aspect, module) || !frees_objects(aspect, module))
		return;
	WRITE_ONCE(aspect->module->tagging, false);
	aspect->tags.lost = true;
	pr_warn("%s: no object carries a tag any more: the module %s, which frees some, was loaded "
		"and is not woven\n",
		aspect->name, module->name);
}

static void arrive(struct wk_aspect *aspect, const struct module *module)
{
	int ret;

	if (!wk_parts_wait(aspect) || !finds(aspect, module))
		return;
	wk_plan_forget();
	begin_try(aspect, module);
	ret = weave(aspect, module);
	if (ret)
		note_failure(aspect, module, ret);
	wk_part_life_count_shadows(aspect);
	wk_once_more();
}

void wk_part_life_catch_up(struct wk_aspect *aspect)
{
	wk_assert_locked();
	if (!wk_parts_wait(aspect))
		return;
	wk_parts_find(aspect);
	for (u32 i = 1; i < aspect->nr_parts; i++) {
		const struct wk_part *part = &aspect->parts[i];
		const struct module *module;

		if (!part->base || part->departure || part->tried)
			continue;
		module = wk_module_text_owner(part->base);
		if (module)
			arrive(aspect, module);
	}
}

static void come(const struct module *module)
{
	struct wk_aspect *aspect;

	mutex_lock(&wk_mutex);
	wk_module_text_admit(module);
	for (unsigned int i = 0; (aspect = wk_aspect_at(i)); i++) {
		arrive(aspect, module);
		keep_tags_right(aspect, module);
	}
	wk_module_text_admit(NULL);
	mutex_unlock(&wk_mutex);
}

/* ---- leaving a module that is unloaded ------------------------------------------------------- */

/*
 * Takes @aspect out of @module and adds its departure to @ret. All parts of @aspect in @module
 * share the departure of the first one; the departures of the others are not needed.
 */
static void leave(struct wk_aspect *aspect, const struct module *module, struct list_head *ret)
{
	struct wk_retirement *departure = NULL;

	for (u32 i = 1; i < aspect->nr_parts; i++) {
		struct wk_part *part = &aspect->parts[i];

		if (!wk_part_is_in(aspect, part, module))
			continue;
		part->tried = false;
		if (!part->departure)
			continue;
		if (departure)
			wk_retirement_drop(part->departure);
		else
			departure = part->departure;
		part->departure = NULL;
		part->base = 0;
		part->left = true;
	}
	if (!departure)
		return;
	wk_depart_aspect(aspect, module, departure);
	list_add_tail(&departure->waiter.list, ret);
	wk_part_life_count_shadows(aspect);
}

static void go(const struct module *module)
{
	const struct wk_module_memory text = wk_module_text(module);
	struct wk_aspect *aspect;
	LIST_HEAD(departures);

	mutex_lock(&wk_mutex);
	wk_plan_forget();
	for (unsigned int i = 0; (aspect = wk_aspect_at(i)); i++)
		leave(aspect, module, &departures);
	wk_depart(module, &departures);
	wk_functions_forget(text.start, text.start + text.size);
	wk_sites_forget(module);
	mutex_unlock(&wk_mutex);
}

/* ---- the notifier for modules that are loaded or unloaded ------------------------------------ */

/*
 * The kernel calls this function when a module is announced (COMING), when the module's init
 * function has returned (LIVE), and when the module is unloaded (GOING). Shadows are looked for at
 * COMING and once more at LIVE: an aspect that was woven in between, while the module could not be
 * found yet, waits for the module, too.
 */
static int on_module(struct notifier_block *block, unsigned long state, void *module_)
{
	const struct module *module = module_;

	if (wk_module_is_ours(module))
		return NOTIFY_DONE;
	if (state == MODULE_STATE_COMING || state == MODULE_STATE_LIVE)
		come(module);
	else if (state == MODULE_STATE_GOING)
		go(module);
	return NOTIFY_DONE;
}

static struct notifier_block on_module_block = {
	.notifier_call = on_module,
	.priority = INT_MIN,
};

int wk_part_life_init(void)
{
	return register_module_notifier(&on_module_block);
}

void wk_part_life_deinit(void)
{
	unregister_module_notifier(&on_module_block);
}
