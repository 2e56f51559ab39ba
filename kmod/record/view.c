// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads records for several readers; see view.h. */
#include <linux/bitops.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/moduleparam.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "runtime/advice.h"
#include "record/record-state.h"
#include "record/record-text.h"
#include "record/view.h"
#include "base/lock.h"

enum {
	STEPS = 4096, /* the most records that one request looks at, for each cursor */
	VIEWS_MOST = 256, /* of all users without privilege */
};

static unsigned int views_per_user = 8;
module_param(views_per_user, uint, 0644);
MODULE_PARM_DESC(views_per_user,
		 "how many views of records a user without CAP_SYS_ADMIN may have open (8)");

static LIST_HEAD(views);

/* ---- what a view chooses --------------------------------------------------------------------- */

static bool is_chosen(const struct wk_view *view, const struct weft_raw_state *task,
		      const struct wk_unread *unread)
{
	if (!view->everything &&
	    (task->event != WEFT_EVENT_OPEN || task->uid != __kuid_val(view->user)))
		return false;
	if (view->pid && task->pid != view->pid)
		return false;
	if (view->joinpoints &&
	    (unread->joinpoint >= view->nr_joinpoints ||
	     !test_bit(unread->joinpoint, view->joinpoints)))
		return false;
	return !view->words[0] || strstr(unread->statement->format, view->words);
}

/*
 * Returns the next record of @view in the ring of @cpu, whether it is chosen or not; NULL: there is
 * none.
 */
static const void *peek(const struct wk_view *view, int cpu)
{
	struct wr_ring *ring = per_cpu_ptr(view->records->rings, cpu);
	struct wk_view_cursor *own = &view->cursors[cpu];
	const u64 before = own->cursor.at;
	const void *raw = wr_ring_peek(ring, &own->cursor);

	if (own->cursor.at != before && own->cursor.at > own->from)
		own->lost += own->cursor.seen.lost;
	return raw;
}

/* Moves @view on by the record that was peeked. */
static void consume(struct wk_view *view, int cpu, const struct wk_unread *unread)
{
	wr_ring_consume(&view->cursors[cpu].cursor, unread->size);
}

static bool has(const struct wk_view *view, int cpu, const struct wk_unread *unread)
{
	const struct wk_view_cursor *own = &view->cursors[cpu];

	return own->cursor.at >= own->from && is_chosen(view, &own->cursor.seen, unread);
}

/* ---- readers that are too slow --------------------------------------------------------------- */

/* Moves @view on to @keep, but not by more than STEPS records. */
static void move_view(struct wk_view *view, int cpu, u64 keep)
{
	struct wk_view_cursor *own = &view->cursors[cpu];

	for (unsigned int i = 0; i < STEPS && own->cursor.at < keep; i++) {
		const void *raw = peek(view, cpu);
		struct wk_unread unread;

		if (!raw)
			break;
		unread = wk_unread_of(view->records, raw);
		if (has(view, cpu, &unread)) {
			view->missed++;
			own->lost++;
		}
		consume(view, cpu, &unread);
	}
}

/* The same for the reader that wk_records_read() is. The next record says what it has missed. */
static void move_first(struct wk_records *records, struct wr_ring *ring, u64 keep)
{
	struct wr_cursor *first = &ring->first;

	for (unsigned int i = 0; i < STEPS && first->at < keep; i++) {
		u32 lost = first->seen.lost;
		const u64 before = first->at;
		const void *raw = wr_ring_peek(ring, first);
		struct wk_unread unread;

		if (first->at != before) /* it was a state record, which has a number of its own */
			lost += first->seen.lost;
		first->seen.lost = lost;
		if (!raw)
			break;
		unread = wk_unread_of(records, raw);
		wr_ring_consume(first, unread.size);
		first->seen.lost = lost + 1;
		records->overtaken++;
	}
}

void wk_views_release(struct wk_records *records, int cpu)
{
	struct wr_ring *ring = per_cpu_ptr(records->rings, cpu);
	const u64 half = ring->size / 2;
	const u64 keep = ring->limit > half ? ring->limit - half : 0;
	u64 slowest;
	struct wk_view *view;

	wk_assert_locked();
	if (!list_empty(&records->views) && !records->recorder.file)
		move_first(records, ring, keep);
	slowest = ring->first.at;
	list_for_each_entry(view, &records->views, in_records) {
		move_view(view, cpu, keep);
		slowest = min(slowest, view->cursors[cpu].cursor.at);
		cond_resched();
	}
	wr_ring_release(ring, slowest);
}

/* ---- the life of a view ---------------------------------------------------------------------- */

static bool is_over_quota(const struct wk_view *view)
{
	unsigned int all = 0, own = 0;
	const struct wk_view *other;

	if (view->privileged)
		return false;
	list_for_each_entry(other, &views, in_views) {
		all += !other->privileged;
		own += !other->privileged && uid_eq(other->user, view->user);
	}
	return all >= VIEWS_MOST || own >= views_per_user;
}

int wk_view_begin(struct wk_view *view, struct wk_records *records, bool newest)
{
	int cpu;

	wk_assert_locked();
	if (is_over_quota(view))
		return -EDQUOT;
	view->cursors = kvcalloc(nr_cpu_ids, sizeof(*view->cursors), GFP_KERNEL_ACCOUNT);
	if (!view->cursors)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		const struct wr_ring *ring = per_cpu_ptr(records->rings, cpu);
		struct wk_view_cursor *own = &view->cursors[cpu];

		own->cursor = ring->first;
		own->cursor.seen.lost = 0;
		own->began = ring->lost;
		if (newest)
			own->from = wr_ring_bytes(ring, READ_ONCE(ring->head));
		if (!view->privileged)
			own->from = max(own->from, ring->users_from);
	}
	view->records = records;
	list_add_tail(&view->in_records, &records->views);
	list_add_tail(&view->in_views, &views);
	return 0;
}

static u64 lost_in_rings(const struct wk_view *view)
{
	u64 lost = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		lost += READ_ONCE(per_cpu_ptr(view->records->rings, cpu)->lost) -
			view->cursors[cpu].began;
	return lost;
}

/* Ends @view: what it has not read of what there is now it has missed. */
static void end(struct wk_view *view)
{
	struct wk_records *records = view->records;
	int cpu;

	for_each_possible_cpu(cpu) {
		const struct wr_ring *ring = per_cpu_ptr(records->rings, cpu);
		const u64 head = wr_ring_bytes(ring, READ_ONCE(ring->head));
		u64 before;

		do {
			before = view->cursors[cpu].cursor.at;
			move_view(view, cpu, head);
			cond_resched();
		} while (view->cursors[cpu].cursor.at != before);
	}
	view->ring_lost = lost_in_rings(view);
	view->records = NULL;
	list_del(&view->in_records);
	list_del(&view->in_views);
	for_each_possible_cpu(cpu)
		wk_views_release(records, cpu);
}

void wk_view_destroy(struct wk_view *view)
{
	wk_assert_locked();
	if (view->records) {
		struct wk_records *records = view->records;
		int cpu;

		list_del(&view->in_records);
		list_del(&view->in_views);
		view->records = NULL;
		for_each_possible_cpu(cpu)
			wk_views_release(records, cpu);
	}
	kvfree(view->cursors);
	kvfree(view->joinpoints);
	view->cursors = NULL;
	view->joinpoints = NULL;
}

void wk_views_end(struct wk_records *records)
{
	struct wk_view *view, *next;

	list_for_each_entry_safe(view, next, &records->views, in_records)
		end(view);
}

void wk_views_end_users(struct wk_records *records)
{
	struct wk_view *view, *next;

	list_for_each_entry_safe(view, next, &records->views, in_records)
		if (!view->privileged)
			end(view);
}

unsigned int wk_views_count(const struct wk_records *records)
{
	const struct wk_view *view;
	unsigned int n = 0;

	list_for_each_entry(view, &records->views, in_records)
		n++;
	return n;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Returns the CPU with the oldest record that @view has not looked at, and the record; -1: none. */
static int oldest_cpu(const struct wk_view *view, const void **ret)
{
	u64 oldest = 0;
	int cpu, found = -1;

	for_each_possible_cpu(cpu) {
		const void *raw = peek(view, cpu);
		const u64 time = view->cursors[cpu].cursor.seen_time;

		if (raw && (found < 0 || time < oldest)) {
			found = cpu;
			oldest = time;
			*ret = raw;
		}
	}
	return found;
}

/* Copies the record, if there is room for it. */
static bool copy(struct wk_view *view, int cpu, const struct wk_unread *unread,
		 struct wk_rendering *rendering, void *buffer, u32 room)
{
	struct weft_record *record = (struct weft_record *)rendering->record;
	struct wk_view_cursor *own = &view->cursors[cpu];

	wk_render(unread, &own->cursor, cpu, true, rendering);
	record->lost = own->lost;
	if (record->size > room)
		return false;
	memcpy(buffer, record, record->size);
	own->lost = 0;
	return true;
}

long wk_view_read(struct wk_view *view, void *buffer, u32 size, bool *more_ret)
{
	struct wk_rendering *rendering = kmalloc(sizeof(*rendering), GFP_KERNEL);
	unsigned int steps;
	bool full = false;
	long used = 0;
	int cpu;

	wk_assert_locked();
	if (!rendering)
		return -ENOMEM;
	for (steps = 0; steps < STEPS; steps++) {
		struct wk_unread unread;
		const void *raw;

		cpu = oldest_cpu(view, &raw);
		if (cpu < 0)
			break;
		unread = wk_unread_of(view->records, raw);
		if (has(view, cpu, &unread)) {
			full = !copy(view, cpu, &unread, rendering, buffer + used, size - used);
			if (full)
				break;
			used += ((const struct weft_record *)rendering->record)->size;
		}
		consume(view, cpu, &unread);
		cond_resched();
	}
	kfree(rendering);
	*more_ret = full || steps == STEPS;
	for_each_possible_cpu(cpu)
		wk_views_release(view->records, cpu);
	return full && !used ? -EMSGSIZE : used;
}

u64 wk_view_lost(const struct wk_view *view)
{
	return view->missed + (view->records ? lost_in_rings(view) : view->ring_lost);
}

/* ---- publishing ------------------------------------------------------------------------------ */

/* From here on, what state records say of their tasks is what ->for_users asks for. */
static void begin_anew(struct wr_ring *ring)
{
	wr_ring_make_stale(ring);
	ring->users_from = wr_ring_bytes(ring, READ_ONCE(ring->head));
}

static void begin_here(void *records_)
{
	const struct wk_records *records = records_;

	begin_anew(this_cpu_ptr(records->rings));
}

void wk_views_publish(struct wk_records *records, bool for_users)
{
	int cpu;

	wk_assert_locked();
	if (!records->rings)
		return;
	/*
	 * A writer that is interrupted by begin_here() may have found out already whose its record
	 * is, but not before ->for_users was set: it would have ended, since writers are not
	 * preempted.
	 */
	for_each_possible_cpu(cpu)
		WRITE_ONCE(per_cpu_ptr(records->rings, cpu)->for_users, for_users);
	synchronize_rcu();
	cpus_read_lock();
	for_each_possible_cpu(cpu)
		if (!cpu_online(cpu))
			begin_anew(per_cpu_ptr(records->rings, cpu));
	on_each_cpu(begin_here, records, 1);
	cpus_read_unlock();
}
