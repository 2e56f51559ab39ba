// SPDX-License-Identifier: GPL-2.0-or-later
/* Takes splices out of a module that is being unloaded; see depart.h. */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/sched.h>

#include "aspect.h"
#include "base/lock.h"
#include "base/once-state.h"
#include "compat/module-layout.h"
#include "depart.h"
#include "splice/optimize.h"
#include "splice/poke.h"
#include "splice/retire.h"
#include "splice/slot.h"
#include "splice/splice.h"
#include "splice/write.h"
#include "text/module-text.h"

void wk_depart_aspect(struct wk_aspect *aspect, const struct module *module,
		      struct wk_retirement *departure)
{
	struct wk_attachment *attachment, *next;
	struct wk_attachments *array, *next_array;

	wk_assert_locked();
	list_for_each_entry_safe(attachment, next, &aspect->attachments, in_aspect) {
		struct wk_splice *splice = attachment->splice;

		if (!wk_module_text_holds(module, splice->address))
			continue;
		/* once-advice that has run is not woven again when the module is loaded again */
		wk_once_retire(attachment->shadow.once);
		list_del(&attachment->in_splice);
		list_del(&attachment->in_aspect);
		aspect->nr_attachments--;
		if (wk_splice_is_idle(splice))
			list_add_tail(&splice->plan, &departure->splices);
		cond_resched();
	}
	list_for_each_entry_safe(array, next_array, &aspect->arrays, list)
		if (array->module == module)
			list_move_tail(&array->list, &departure->attachments);
}

/*
 * Called for each splice that is in the module's text after all advice there was removed. Puts
 * @splice on the list @donors if weft must still take it out: such a splice has no advice left, and
 * stays only because the five bytes after its own jump are another splice's slot (splice/donor.h).
 * Leaves alone blocked splices, which cannot be taken out now.
 */
static void collect_idle(struct wk_splice *splice, void *donors)
{
	wk_optimizing_forget(splice);
	if (wk_splice_in_text(splice) && !wk_state_is_blocked(splice->state) &&
	    list_empty(&splice->plan))
		list_add_tail(&splice->plan, donors);
}

static void abandon(struct wk_splice *splice, void *unused)
{
	if (splice->state != WK_STATE_LISTED)
		wk_splice_become(splice, WK_STATE_LISTED);
	wk_splice_remove(splice);
}

static void vacate(struct wk_slot *slot)
{
	struct wk_splice *splice = container_of(slot, struct wk_splice, slot);

	wk_poke_vacate(splice);
	if (splice->state == WK_STATE_BLOCKED_SLOT)
		wk_splice_become(splice, WK_STATE_OUT);
	wk_slot_release(slot);
}

/*
 * Takes the splices in @module out of its text, as far as possible. If an int3 of another owner is
 * over a splice, its original bytes cannot be restored, and the splice stays in the text, which no
 * task runs any more. The retirements free such splices after their grace periods, without writing
 * to the text.
 */
void wk_depart(const struct module *module, struct list_head *departures)
{
	const struct wk_module_memory text = wk_module_text(module);
	const unsigned long start = text.start, end = start + text.size;
	struct wk_retirement *departure, *next_departure;
	struct wk_splice *splice, *next;
	struct wk_slot *slot;
	LIST_HEAD(blocked);
	LIST_HEAD(donors);

	wk_assert_locked();
	if (list_empty(departures) && wk_splice_none(start, text.size) && !wk_slot_in(start, end))
		return;
	wk_write_begin(0, 0, 0);
	wk_splices_in(start, end, collect_idle, &donors);
	wk_poke_disarm(&donors, &blocked);
	list_for_each_entry(departure, departures, waiter.list)
		wk_poke_disarm(&departure->splices, &departure->blocked);
	wk_splices_in(start, end, abandon, NULL);
	while ((slot = wk_slot_in(start, end)))
		vacate(slot);
	wk_poke_finish();
	wk_write_end();

	list_splice(&blocked, &donors);
	list_for_each_entry_safe(splice, next, &donors, plan)
		list_del_init(&splice->plan);
	list_for_each_entry_safe(departure, next_departure, departures, waiter.list) {
		list_del_init(&departure->waiter.list);
		list_splice_init(&departure->blocked, &departure->splices);
		wk_retirement_start(departure);
	}
}
