// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Turning traps into jumps; see settle.h. Who may be in the middle of a window? A task that was preempted there gets out before it
 * next sleeps of its own will; an idle task or an interrupt before its CPU next schedules: the same two grace periods as for
 * freeing a patch (retire.c). Nobody comes in meanwhile: the first byte traps, and there is no other way in (window.c). Should the
 * grace periods never end, the splices stay traps, and everything else goes on.
 */
#include <linux/list.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/workqueue.h>

#include "aspect.h"
#include "compat.h"
#include "poke.h"
#include "settle.h"
#include "splice.h"
#include "symbols.h"

static struct workqueue_struct *queue;
static LIST_HEAD(waiting); /* since before the next grace periods begin */
static LIST_HEAD(ripening); /* those that the running grace periods are for */

static void settle_all(void)
{
	struct wk_splice *splice, *next;

	mutex_lock(wk_symbols.kprobe_mutex);
	mutex_lock(wk_symbols.text_mutex);
	list_for_each_entry_safe(splice, next, &ripening, settle)
		if (!wk_poke_settle(splice))
			list_del_init(&splice->settle); /* somebody wrote there: it stays a trap */
	wk_poke_finish();
	list_for_each_entry_safe(splice, next, &ripening, settle) {
		splice->trapping = false;
		wk_poke_fill(splice);
		list_del_init(&splice->settle);
	}
	wk_poke_finish();
	mutex_unlock(wk_symbols.text_mutex);
	mutex_unlock(wk_symbols.kprobe_mutex);
}

static void settle(struct work_struct *work)
{
	mutex_lock(&wk_mutex);
	list_splice_init(&waiting, &ripening);
	mutex_unlock(&wk_mutex);

	wk_synchronize_leavers();

	mutex_lock(&wk_mutex);
	settle_all();
	mutex_unlock(&wk_mutex);
}

static DECLARE_WORK(work, settle);

int __init wk_settle_init(void)
{
	queue = alloc_ordered_workqueue("weft_settle", 0);
	return queue ? 0 : -ENOMEM;
}

void wk_settle_deinit(void)
{
	destroy_workqueue(queue);
}

void wk_settle_add(struct wk_splice *splice)
{
	list_add_tail(&splice->settle, &waiting);
	queue_work(queue, &work);
}

void wk_settle_forget(struct wk_splice *splice)
{
	list_del_init(&splice->settle);
}
