// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads records for several readers; see view.h. */
#include <linux/bitops.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/moduleparam.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "runtime/advice.h"
#include "record/record-state.h"
#include "record/record-text.h"
#include "record/view.h"
#include "base/lock.h"

enum {
	/*
	 * The most records that one request reads. Also how often, at most, it takes the lock again
	 * to move on other readers.
	 */
	STEPS = 4096,
	/*
	 * How many records are looked at while wk_readers_lock is held. To look at one takes some
	 * 50 ns.
	 */
	HOLD = 256,
	LOOK_BYTES = 4, /* to make these bytes of a struct weft_record takes as long as a look */
	/*
	 * How often wk_views_close() and wk_views_end_users() wait, in all, for writers that are in
	 * the middle of a record, whose CPUs may run something else. All waits together take 50 to
	 * 100 ms.
	 */
	END_WAITS = 500,
	END_WAIT_US = 100,
	/* The most records that are looked at when views end, for all of them together. */
	END_STEPS = 256 << 10,
	VIEWS_MOST = 256, /* of all users without privilege */
};

static unsigned int views_per_user = 8;
module_param(views_per_user, uint, 0644);
MODULE_PARM_DESC(views_per_user,
		 "how many views of records a user without CAP_SYS_ADMIN may have open (8)");

static LIST_HEAD(views);

/*
 * What may still be done before wk_readers_lock is released. All rings and views share it, so that
 * neither the number of CPUs nor that of views makes a hold longer.
 */
struct hold {
	unsigned int looks;    /* how many records may be looked at */
	unsigned int patience; /* how often writers may be waited for: wr_ring_rest() */
};

static struct hold begin_hold(unsigned int looks)
{
	return (struct hold){ .looks = looks, .patience = WR_RING_PATIENCE };
}

static void charge(struct hold *hold, unsigned int looks)
{
	hold->looks -= min(hold->looks, looks);
}

/* ---- what a view chooses --------------------------------------------------------------------- */

/* What a view's ->answers say of a statement. */
enum {
	ASKED = 1, /* the other bits are valid */
	HAS_WORDS = 2, /* its format contains ->words */
	HAS_FIELD = 4, /* it has one of ->fields */
};

/*
 * Does the record's statement have the words and values that the view chooses? To compare formats
 * and names takes long. So the answer is kept for the next record of the same statement, and the
 * lock is released once it is found.
 */
static u8 answer_of(struct wk_view *view, const struct wk_unread *unread, struct hold *hold)
{
	const struct weft_statement *statement = unread->statement;
	u8 *answer = &view->answers[unread->index];

	if (!*answer) {
		*answer = ASKED;
		if (strstr(statement->format, view->words))
			*answer |= HAS_WORDS;
		if (view->fields[0] &&
		    wk_values_any(statement->format, statement->values, view->fields))
			*answer |= HAS_FIELD;
		hold->looks = 0;
	}
	return *answer;
}

static bool chooses_all(const struct wk_view *view)
{
	return view->everything && !view->pid && !view->joinpoints && !view->answers;
}

static bool is_chosen(struct wk_view *view, const struct weft_raw_state *task,
		      const struct wk_unread *unread, struct hold *hold)
{
	u8 answer;

	if (!view->everything &&
	    (task->event != WEFT_EVENT_OPEN || task->uid != __kuid_val(view->user)))
		return false;
	if (view->pid && task->pid != view->pid)
		return false;
	if (view->joinpoints &&
	    (unread->joinpoint >= view->nr_joinpoints ||
	     !test_bit(unread->joinpoint, view->joinpoints)))
		return false;
	if (!view->answers)
		return true;
	answer = answer_of(view, unread, hold);
	return answer & HAS_WORDS &&
	       (!view->fields[0] || (answer & HAS_FIELD && !unread->has_text));
}

/*
 * Returns the next record of @view in the ring of @cpu, whether it is chosen or not; NULL: there is
 * none.
 */
static const void *peek(const struct wk_view *view, int cpu, struct hold *hold)
{
	struct wr_ring *ring = per_cpu_ptr(view->records->rings, cpu);
	struct wk_view_cursor *own = &view->cursors[cpu];
	const u64 before = own->cursor.at;
	const void *raw;

	if (view->ending && before >= own->until.at)
		return NULL;
	raw = wr_ring_peek_within(ring, &own->cursor, &hold->patience);
	if (own->cursor.at != before && own->cursor.at > own->from)
		own->lost += own->cursor.seen.lost;
	return raw;
}

/* Moves @view on by the record that was peeked. */
static void consume(struct wk_view *view, int cpu, const struct wk_unread *unread)
{
	wr_ring_consume(&view->cursors[cpu].cursor, unread->size);
}

static bool has(struct wk_view *view, int cpu, const struct wk_unread *unread,
		struct hold *hold)
{
	const struct wk_view_cursor *own = &view->cursors[cpu];

	return own->cursor.at >= own->from && is_chosen(view, &own->cursor.seen, unread, hold);
}

/* ---- readers that are too slow --------------------------------------------------------------- */

/* Moves @view on to position @keep in the ring of @cpu, or as far as @hold allows to look. */
static void move_view(struct wk_view *view, int cpu, u64 keep, struct hold *hold)
{
	struct wk_view_cursor *own = &view->cursors[cpu];

	for (; hold->looks && own->cursor.at < keep; charge(hold, 1)) {
		const void *raw = peek(view, cpu, hold);
		struct wk_unread unread;

		if (!raw)
			break;
		unread = wk_unread_of(view->records, raw);
		if (has(view, cpu, &unread, hold)) {
			view->missed++;
			own->lost++;
		}
		consume(view, cpu, &unread);
	}
}

/*
 * As move_view(), for the cursor of wk_records_read(). The record that is read next says how many
 * records that reader has missed.
 */
static void move_first(struct wk_records *records, struct wr_ring *ring, u64 keep,
		       struct hold *hold)
{
	struct wr_cursor *first = &ring->first;

	for (; hold->looks && first->at < keep; charge(hold, 1)) {
		u32 lost = first->seen.lost;
		const u64 before = first->at;
		const void *raw = wr_ring_peek_within(ring, first, &hold->patience);
		struct wk_unread unread;

		if (first->at != before) /* wr_ring_peek() has set ->lost from a state record */
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

/* Does some of what wk_views_release() does; returns whether there is more to do. */
static bool release_some(struct wk_records *records, int cpu)
{
	struct wr_ring *ring = per_cpu_ptr(records->rings, cpu);
	const u64 half = ring->size / 2;
	const u64 keep = ring->limit > half ? ring->limit - half : 0;
	struct hold hold = begin_hold(HOLD);
	u64 slowest;
	struct wk_view *view;

	wk_assert_readers_locked();
	if (!list_empty(&records->views) && !records->recorder.file)
		move_first(records, ring, keep, &hold);
	slowest = ring->first.at;
	list_for_each_entry(view, &records->views, in_records) {
		move_view(view, cpu, keep, &hold);
		slowest = min(slowest, view->cursors[cpu].cursor.at);
	}
	wr_ring_release(ring, slowest);
	return !hold.looks;
}

void wk_views_release(struct wk_records *records, int cpu)
{
	bool more = true;

	wk_assert_locked();
	for (unsigned int i = 0; more && i < STEPS; i++) {
		spin_lock(&wk_readers_lock);
		more = release_some(records, cpu);
		spin_unlock(&wk_readers_lock);
		cond_resched();
	}
}

/* As wk_views_release(), for the rings of all CPUs, without wk_mutex: @view may end meanwhile. */
static void release_by(const struct wk_view *view)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		bool more = true;

		for (unsigned int i = 0; more && i < STEPS; i++) {
			spin_lock(&wk_readers_lock);
			more = view->records && release_some(view->records, cpu);
			spin_unlock(&wk_readers_lock);
			cond_resched();
		}
	}
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

int wk_view_create(struct wk_view *view, u32 nr_joinpoints)
{
	view->cursors = kvcalloc(nr_cpu_ids, sizeof(*view->cursors), GFP_KERNEL_ACCOUNT);
	if (!view->cursors)
		return -ENOMEM;
	if (view->words[0] || view->fields[0]) {
		view->answers = kvcalloc(WK_STATEMENTS_MAX, sizeof(*view->answers),
					 GFP_KERNEL_ACCOUNT);
		if (!view->answers)
			return -ENOMEM;
	}
	view->nr_joinpoints = nr_joinpoints;
	if (!nr_joinpoints)
		return 0;
	view->joinpoints = kvcalloc(BITS_TO_LONGS(nr_joinpoints), sizeof(long), GFP_KERNEL_ACCOUNT);
	return view->joinpoints ? 0 : -ENOMEM;
}

int wk_view_begin(struct wk_view *view, struct wk_records *records, bool newest)
{
	int cpu;

	wk_assert_readers_locked();
	if (is_over_quota(view))
		return -EDQUOT;
	for_each_possible_cpu(cpu) {
		const struct wr_ring *ring = per_cpu_ptr(records->rings, cpu);
		struct wk_view_cursor *own = &view->cursors[cpu];
		const struct wr_moment now = wr_ring_now(ring);

		own->cursor = ring->first;
		own->cursor.seen.lost = 0;
		own->began = now.lost + now.unsure;
		view->unknown += now.unsure;
		if (newest) {
			own->from = now.at;
			own->from_records = now.records;
		} else if (!view->privileged) {
			own->from = ring->users_from;
			own->from_records = ring->users_from_records;
		}
	}
	view->records = records;
	list_add_tail(&view->in_records, &records->views);
	list_add_tail(&view->in_views, &views);
	return 0;
}

/* Returns how many records found no room since @view began, until it ended. */
static u64 lost_in_rings(const struct wk_view *view)
{
	u64 lost = 0;
	int cpu;

	for_each_possible_cpu(cpu) {
		const struct wk_view_cursor *own = &view->cursors[cpu];
		const u64 all = view->ending
					? own->until.lost
					: READ_ONCE(per_cpu_ptr(view->records->rings, cpu)->lost);

		lost += all - own->began;
	}
	return lost;
}

static void leave(struct wk_view *view)
{
	view->records = NULL;
	list_del(&view->in_records);
	list_del(&view->in_views);
}

void wk_view_destroy(struct wk_view *view)
{
	struct wk_records *records;
	int cpu;

	for_each_possible_cpu(cpu) {
		spin_lock(&wk_readers_lock);
		records = view->records;
		if (records) {
			/* The view does not need any record of this ring any more. */
			view->cursors[cpu].cursor.at = per_cpu_ptr(records->rings, cpu)->limit;
			release_some(records, cpu);
		}
		spin_unlock(&wk_readers_lock);
	}
	spin_lock(&wk_readers_lock);
	if (view->records)
		leave(view);
	spin_unlock(&wk_readers_lock);
	kvfree(view->cursors);
	kvfree(view->joinpoints);
	kvfree(view->answers);
	view->cursors = NULL;
	view->joinpoints = NULL;
	view->answers = NULL;
}

/* ---- ending views ---------------------------------------------------------------------------- */

static void begin_end(struct wk_view *view)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct wk_view_cursor *own = &view->cursors[cpu];

		own->until = wr_ring_now(per_cpu_ptr(view->records->rings, cpu));
		view->unknown += own->until.unsure;
	}
	view->ending = true;
}

/*
 * An ending view misses the records that it has not read. Counts them, as far as @hold allows to
 * look. Returns true if none is left.
 */
static bool miss(struct wk_view *view, struct hold *hold)
{
	bool is_all = true;
	int cpu;

	for_each_possible_cpu(cpu) {
		const struct wk_view_cursor *own = &view->cursors[cpu];

		move_view(view, cpu, own->until.at, hold);
		is_all &= own->cursor.at >= own->until.at;
	}
	return is_all;
}

/* Counts the records that miss() has not looked at. */
static void miss_rest(struct wk_view *view)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		const struct wk_view_cursor *own = &view->cursors[cpu];
		const u64 next = max(own->cursor.read, own->from_records);

		if (own->until.records > next)
			view->unknown += own->until.records - next;
	}
}

static struct wk_view *first_view(const struct wk_records *records, bool users)
{
	struct wk_view *view;

	list_for_each_entry(view, &records->views, in_records)
		if (!users || !view->privileged)
			return view;
	return NULL;
}

/*
 * Ends views, only those without privilege if @users. A user may have many views in a large ring,
 * so no more than END_STEPS records are looked at.
 */
static void end_all(struct wk_records *records, bool users)
{
	unsigned int left = END_STEPS, waits = END_WAITS;
	struct wk_view *view;
	int cpu;

	wk_assert_locked();
	spin_lock(&wk_readers_lock);
	while ((view = first_view(records, users))) {
		const unsigned int most = min_t(unsigned int, left, HOLD);
		struct hold hold = begin_hold(most);
		bool is_all, is_held_up;

		if (!view->ending)
			begin_end(view);
		is_all = miss(view, &hold);
		left -= most - hold.looks;
		/* A writer is in the middle of a record. */
		is_held_up = !is_all && hold.looks;
		if (!is_all && (!left || (is_held_up && !waits)))
			miss_rest(view);
		if (is_all || !left || (is_held_up && !waits)) {
			view->ring_lost = lost_in_rings(view);
			leave(view);
		}
		/* The view may be closed or read while the lock is released; neither does harm. */
		spin_unlock(&wk_readers_lock);
		if (is_held_up && waits) {
			waits--;
			usleep_range(END_WAIT_US, 2 * END_WAIT_US);
		}
		cond_resched();
		spin_lock(&wk_readers_lock);
	}
	spin_unlock(&wk_readers_lock);
	if (records->rings)
		for_each_possible_cpu(cpu)
			wk_views_release(records, cpu);
}

void wk_views_close(struct wk_records *records)
{
	spin_lock(&wk_readers_lock);
	records->closed = true;
	spin_unlock(&wk_readers_lock);
	end_all(records, false);
}

void wk_views_open(struct wk_records *records)
{
	spin_lock(&wk_readers_lock);
	records->closed = false;
	spin_unlock(&wk_readers_lock);
}

void wk_views_end_users(struct wk_records *records)
{
	end_all(records, true);
}

unsigned int wk_views_count(const struct wk_records *records)
{
	const struct wk_view *view;
	unsigned int n = 0;

	spin_lock(&wk_readers_lock);
	list_for_each_entry(view, &records->views, in_records)
		n++;
	spin_unlock(&wk_readers_lock);
	return n;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Returns the CPU with the oldest record that @view has not looked at, and the record; -1: none. */
static int oldest_cpu(const struct wk_view *view, const void **ret, struct hold *hold)
{
	u64 oldest = 0;
	int cpu, found = -1;

	for_each_possible_cpu(cpu) {
		const void *raw = peek(view, cpu, hold);
		const u64 time = view->cursors[cpu].cursor.seen_time;

		if (raw && (found < 0 || time < oldest)) {
			found = cpu;
			oldest = time;
			*ret = raw;
		}
	}
	return found;
}

/* Copies the record to @buffer. Returns false if it is larger than @room bytes. */
static bool copy(struct wk_view *view, int cpu, const struct wk_unread *unread,
		 struct wk_rendering *rendering, void *buffer, u32 room)
{
	struct weft_record *record = (struct weft_record *)rendering->record;
	struct wk_view_cursor *own = &view->cursors[cpu];

	wk_render(unread, &own->cursor, cpu, true, view->fields, rendering);
	record->lost = own->lost;
	if (record->size > room)
		return false;
	memcpy(buffer, record, record->size);
	own->lost = 0;
	return true;
}

/* One request for records. */
struct reading {
	struct wk_rendering *rendering;
	void *buffer;
	u32 size;
	long used;	    /* bytes of ->buffer */
	unsigned int steps; /* records looked at */
	bool full;	    /* the buffer had no room for the next record */
};

/* Returns false if there is nothing more to be read by this request. */
static bool read_some(struct wk_view *view, struct reading *reading)
{
	struct hold hold = begin_hold(HOLD);

	for (; hold.looks; charge(&hold, num_possible_cpus())) {
		struct wk_unread unread;
		const void *raw;
		u32 size;
		int cpu;

		if (reading->steps == STEPS)
			return false;
		cpu = oldest_cpu(view, &raw, &hold);
		if (cpu < 0)
			return false;
		unread = wk_unread_of(view->records, raw);
		if (has(view, cpu, &unread, &hold)) {
			reading->full = !copy(view, cpu, &unread, reading->rendering,
					      reading->buffer + reading->used,
					      reading->size - reading->used);
			if (reading->full)
				return false;
			size = ((const struct weft_record *)reading->rendering->record)->size;
			reading->used += size;
			charge(&hold, size / LOOK_BYTES);
		}
		consume(view, cpu, &unread);
		reading->steps++;
	}
	return true;
}

long wk_view_read(struct wk_view *view, void *buffer, u32 size, bool *more_ret)
{
	struct reading reading = { .buffer = buffer, .size = size };
	bool goes_on;

	reading.rendering = kmalloc(sizeof(*reading.rendering), GFP_KERNEL_ACCOUNT);
	if (!reading.rendering)
		return -ENOMEM;
	do {
		spin_lock(&wk_readers_lock);
		goes_on = view->records && read_some(view, &reading);
		spin_unlock(&wk_readers_lock);
		cond_resched();
	} while (goes_on && !fatal_signal_pending(current));
	kfree(reading.rendering);
	*more_ret = reading.full || reading.steps == STEPS;
	release_by(view);
	return reading.full && !reading.used ? -EMSGSIZE : reading.used;
}

void wk_view_miss(struct wk_view *view, const void *buffer, u32 used)
{
	spin_lock(&wk_readers_lock);
	for (u32 at = 0; at < used;) {
		const struct weft_record *record = buffer + at;

		view->missed++;
		view->cursors[record->cpu].lost += record->lost + 1;
		at += record->size;
	}
	spin_unlock(&wk_readers_lock);
}

struct wk_view_state wk_view_state(const struct wk_view *view)
{
	struct wk_view_state state;
	u64 unknown;

	spin_lock(&wk_readers_lock);
	unknown = view->unknown + (view->records ? lost_in_rings(view) : view->ring_lost);
	state = (struct wk_view_state){
		.lost = view->missed + (chooses_all(view) ? unknown : 0),
		.uncounted = chooses_all(view) ? 0 : unknown,
		.ended = !view->records,
	};
	spin_unlock(&wk_readers_lock);
	return state;
}

/* ---- publishing ------------------------------------------------------------------------------ */

/*
 * Makes the next record of @ring have a state record, which says whether the user may read it if
 * ->for_users is set. Records before it are not for users.
 */
static void begin_anew(struct wr_ring *ring)
{
	u64 head;

	wr_ring_make_stale(ring);
	head = READ_ONCE(ring->head);
	ring->users_from = wr_ring_bytes(ring, head);
	ring->users_from_records = wr_ring_records_before(ring, head);
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
	 * begin_here() may interrupt a writer that has already found the owner of its record. But
	 * such a writer has begun after ->for_users was set: synchronize_rcu() waits for all
	 * earlier writers, since writers are not preempted.
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
