// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads records, and keeps those of modules that are gone; see record.h. */
#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "runtime/advice.h"
#include "record/record.h"
#include "record/record-text.h"
#include "record/ring-recorder.h"
#include "record/view.h"
#include "base/lock.h"

/* A record that has been formatted, because its format string's module is gone. */
struct kept_record {
	struct list_head list;
	struct weft_record record;
};

int wk_records_init(struct wk_records *records, const struct weft_aspect *module,
		    unsigned int kilobytes)
{
	BUILD_BUG_ON(WEFT_EVENT(WK_STATEMENTS_MAX, 0) > WEFT_EVENT_EXTENDED);
	INIT_LIST_HEAD(&records->kept);
	INIT_LIST_HEAD(&records->views);
	records->module = module;
	records->rings = wk_rings_create(&records->of_rings, kilobytes * 1024UL);
	if (!records->rings)
		wk_account_close(&records->of_rings);
	return records->rings ? 0 : -ENOMEM;
}

/* The size in bytes of @record as a struct kept_record. */
static size_t size_of_kept(const struct weft_record *record)
{
	return offsetof(struct kept_record, record) + record->size;
}

static void drop_kept(struct wk_records *records, struct kept_record *kept)
{
	list_del(&kept->list);
	wk_account_return(&records->of_kept, size_of_kept(&kept->record));
	kfree(kept);
	records->nr_kept--;
}

/* Frees the rings, which are of one aspect, and keeps their totals. The views are closed. */
static void free_ring(struct wk_records *records)
{
	WK_BUG(!list_empty(&records->views), "a ring is freed that a view reads\n");
	wk_recorder_detach(&records->recorder);
	wk_records_totals(records, &records->written, &records->lost);
	wk_rings_destroy(records->rings);
	wk_account_close(&records->of_rings);
	records->rings = NULL;
}

int wk_records_resize(struct wk_records *records, u64 size)
{
	struct wk_account memory = { 0 };
	struct wr_ring __percpu *rings = wk_rings_create(&memory, size);
	int cpu;

	if (!rings) {
		wk_account_close(&memory);
		return -ENOMEM;
	}
	for_each_possible_cpu(cpu)
		per_cpu_ptr(rings, cpu)->for_users = per_cpu_ptr(records->rings, cpu)->for_users;
	wk_views_close(records);
	free_ring(records);
	records->rings = rings;
	records->of_rings = memory;
	for (unsigned int i = 0; i < ARRAY_SIZE(records->statements); i++)
		if (records->statements[i])
			records->statements[i]->rings = (void *)(unsigned long __force)rings;
	wk_views_open(records);
	return 0;
}

void wk_records_deinit(struct wk_records *records)
{
	struct kept_record *kept, *next;

	list_for_each_entry_safe(kept, next, &records->kept, list)
		drop_kept(records, kept);
	free_ring(records);
}

/*
 * Returns the CPU whose ring holds the oldest unread record, and sets *@ret to that record; -1:
 * there is none. Records that are written meanwhile may be missed; they come with a later call.
 */
static int oldest_cpu(const struct wk_records *records, const void **ret)
{
	unsigned int patience = WR_RING_PATIENCE; /* for all CPUs: this may be under a spinlock */
	u64 oldest = 0;
	int cpu, found = -1;

	for_each_possible_cpu(cpu) {
		struct wr_ring *ring = per_cpu_ptr(records->rings, cpu);
		const void *raw = wr_ring_peek_within(ring, &ring->first, &patience);

		if (raw && (found < 0 || ring->first.seen_time < oldest)) {
			found = cpu;
			oldest = ring->first.seen_time;
			*ret = raw;
		}
	}
	return found;
}

/*
 * Formats the oldest unread record without consuming it. Returns its CPU, and its size in
 * *@size_ret; -1: there is none.
 */
static int render_next(const struct wk_records *records, struct wk_rendering *rendering,
		       u32 *size_ret)
{
	const void *raw;
	int cpu = records->rings ? oldest_cpu(records, &raw) : -1;

	if (cpu >= 0) {
		const struct wk_unread unread = wk_unread_of(records, raw);

		wk_render(&unread, &per_cpu_ptr(records->rings, cpu)->first, cpu, false,
			  "", rendering);
		*size_ret = unread.size;
	}
	return cpu;
}

static u64 ring_unread(const struct wk_records *records)
{
	u64 n = 0;
	int cpu;

	if (!records->rings)
		return 0;
	for_each_possible_cpu(cpu) {
		const struct wr_ring *ring = per_cpu_ptr(records->rings, cpu);

		spin_lock(&wk_readers_lock);
		n += wr_ring_unread(ring, &ring->first);
		spin_unlock(&wk_readers_lock);
	}
	return n;
}

/* Allocates a struct kept_record with room for @record, and charges it. NULL: memory is short. */
static struct kept_record *keep(struct wk_records *records, const struct weft_record *record)
{
	size_t size = size_of_kept(record);
	struct kept_record *kept;

	if (!wk_account_charge(&records->of_kept, size))
		return NULL;
	kept = kmalloc(size, WK_GFP_TABLE);
	if (!kept)
		wk_account_return(&records->of_kept, size);
	return kept;
}

u64 wk_records_keep(struct wk_records *records)
{
	struct wk_rendering *rendering = kmalloc(sizeof(*rendering), GFP_KERNEL);
	const struct weft_record *record =
		rendering ? (const struct weft_record *)rendering->record : NULL;
	u64 dropped = 0;
	u32 size;
	int cpu;

	wk_views_close(records); /* from here on, nobody else reads */
	while (record && (cpu = render_next(records, rendering, &size)) >= 0) {
		struct kept_record *kept = keep(records, record);

		wr_ring_consume(&per_cpu_ptr(records->rings, cpu)->first, size);
		cond_resched();
		if (!kept) {
			dropped++;
			continue;
		}
		kept->record = *record;
		memcpy(kept->record.text, record->text, record->size - sizeof(*record));
		list_add_tail(&kept->list, &records->kept);
		records->nr_kept++;
	}
	if (!record)
		dropped = ring_unread(records);
	kfree(rendering);
	free_ring(records);
	records->module = NULL;
	records->lost += dropped;
	return dropped;
}

/* Copies @record to @buffer, of which @used bytes are used; returns false if it does not fit. */
static bool copy_record(const struct weft_record *record, void *buffer, u32 size, long used)
{
	if (record->size > size - used)
		return false;
	memcpy(buffer + used, record, record->size);
	return true;
}

static long read_kept(struct wk_records *records, void *buffer, u32 size)
{
	struct kept_record *kept, *next;
	long used = 0;

	list_for_each_entry_safe(kept, next, &records->kept, list) {
		if (!copy_record(&kept->record, buffer, size, used))
			return used ? used : -EMSGSIZE;
		used += kept->record.size;
		drop_kept(records, kept);
	}
	return used;
}

/*
 * Copies the oldest record to @buffer, of which @used bytes are used, and consumes it. Returns its
 * CPU; -1: there is none; -EMSGSIZE: there is no room for it.
 */
static int read_next(const struct wk_records *records, struct wk_rendering *rendering, void *buffer,
		     u32 size, long used)
{
	u32 raw_size;
	int cpu;

	spin_lock(&wk_readers_lock);
	cpu = render_next(records, rendering, &raw_size);
	if (cpu >= 0) {
		if (copy_record((const void *)rendering->record, buffer, size, used))
			wr_ring_consume(&per_cpu_ptr(records->rings, cpu)->first, raw_size);
		else
			cpu = -EMSGSIZE;
	}
	spin_unlock(&wk_readers_lock);
	return cpu;
}

long wk_records_read(struct wk_records *records, void *buffer, u32 size)
{
	struct wk_rendering *rendering;
	long used;
	int cpu = -1;

	wk_assert_locked();
	if (records->recorder.file)
		return -EBUSY;
	used = read_kept(records, buffer, size);
	if (used || !records->rings)
		return used;
	rendering = kmalloc(sizeof(*rendering), GFP_KERNEL);
	if (!rendering)
		return -ENOMEM;
	for (u64 n = ring_unread(records); n; n--) {
		cpu = read_next(records, rendering, buffer, size, used);
		if (cpu < 0)
			break;
		used += ((const struct weft_record *)rendering->record)->size;
		wk_views_release(records, cpu);
		cond_resched();
	}
	if (!used && cpu == -EMSGSIZE)
		used = -EMSGSIZE;
	kfree(rendering);
	return used;
}

u64 wk_records_ring_size(const struct wk_records *records)
{
	return records->rings ? per_cpu_ptr(records->rings, cpumask_first(cpu_possible_mask))->size
			      : 0;
}

u64 wk_records_unread(const struct wk_records *records)
{
	return records->nr_kept + ring_unread(records);
}

void wk_records_totals(const struct wk_records *records, u64 *written_ret, u64 *lost_ret)
{
	u64 written = records->written, lost = records->lost;
	int cpu;

	if (records->rings) {
		for_each_possible_cpu(cpu) {
			spin_lock(&wk_readers_lock);
			written += wr_ring_written(per_cpu_ptr(records->rings, cpu));
			spin_unlock(&wk_readers_lock);
			lost += per_cpu_ptr(records->rings, cpu)->lost;
		}
	}
	*written_ret = written;
	*lost_ret = lost;
}

const struct weft_statement *wk_records_statement(const struct wk_records *records, u32 index,
						  u32 *content_ret)
{
	const struct weft_statement *statement =
		index < WK_STATEMENTS_MAX ? smp_load_acquire(&records->statements[index]) : NULL;

	const u8 kind = statement ? smp_load_acquire(&statement->kind) : WK_ARGUMENTS_UNKNOWN;

	if (kind == WK_ARGUMENTS_UNKNOWN || !records->module)
		return NULL;
	*content_ret = kind == WK_ARGUMENTS_BINARY ? WEFT_CONTENT_PACKED : WEFT_CONTENT_WORDS;
	return statement;
}
