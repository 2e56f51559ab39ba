// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writing and reading records; see record.h. The writer runs inside advice, in any context, and
 * calls only what is safe there: vbin_printf into this CPU's scratch space for its context level,
 * then one reservation in the ring.
 */
#include <linux/cred.h>
#include <linux/module.h>
#include <linux/ring_buffer.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>

#include "../runtime/advice.h"
#include "aspect.h"
#include "compat.h"
#include "record.h"

enum {
	SCRATCH_WORDS = 256, /* 1 KiB of arguments a record */
	SCRATCH_LEVELS = 4,  /* task, softirq, irq, NMI: each may interrupt the one before */
	TEXT_MAX = 1024,
};

struct scratch {
	u32 words[SCRATCH_LEVELS][SCRATCH_WORDS];
};

static struct scratch __percpu *scratch;

/* A record in the ring. */
struct event {
	u64 time;
	const char *format; /* NULL: @words hold finished text */
	u32 joinpoint;
	u32 pid, tgid, uid;
	u32 lost;
	u32 nr_words;
	char comm[TASK_COMM_LEN];
	u32 words[];
};

/* A record whose text was made already. */
struct kept_record {
	struct list_head list;
	struct weft_record record;
};

int __init wk_record_scratch_init(void)
{
	scratch = alloc_percpu(struct scratch);
	return scratch ? 0 : -ENOMEM;
}

void wk_record_scratch_deinit(void)
{
	free_percpu(scratch);
}

int wk_records_init(struct wk_records *records, unsigned int kilobytes)
{
	INIT_LIST_HEAD(&records->kept);
	records->counts = alloc_percpu(struct wk_record_count);
	if (!records->counts)
		return -ENOMEM;
	records->ring = ring_buffer_alloc(kilobytes * 1024UL, 0);
	if (!records->ring) {
		free_percpu(records->counts);
		records->counts = NULL;
		return -ENOMEM;
	}
	return 0;
}

static void drop_kept(struct wk_records *records, struct kept_record *kept)
{
	list_del(&kept->list);
	kfree(kept);
	records->nr_kept--;
}

static void free_ring(struct wk_records *records)
{
	wk_records_totals(records, &records->written, &records->lost);
	if (records->ring)
		ring_buffer_free(records->ring);
	free_percpu(records->counts);
	records->ring = NULL;
	records->counts = NULL;
}

void wk_records_deinit(struct wk_records *records)
{
	struct kept_record *kept, *next;

	list_for_each_entry_safe(kept, next, &records->kept, list)
		drop_kept(records, kept);
	free_ring(records);
}

/* ---- writing --------------------------------------------------------------------------------- */

/*
 * Arguments in binary; where they do not fit, as much of the finished text as does. Returns words,
 * sets @format.
 */
static u32 fill_words(u32 *words, const char **format, va_list args)
{
	va_list again;
	int n;

	va_copy(again, args);
	n = vbin_printf(words, SCRATCH_WORDS, *format, args);
	if (n < 0 || n >= SCRATCH_WORDS) {
		n = vscnprintf((char *)words, SCRATCH_WORDS * sizeof(u32), *format, again) + 1;
		n = DIV_ROUND_UP(n, sizeof(u32));
		*format = NULL;
	}
	va_end(again);
	return n;
}

static bool commit_event(struct trace_buffer *ring, const struct event *head, const u32 *words)
{
	size_t size = head->nr_words * sizeof(u32);
	struct ring_buffer_event *slot = ring_buffer_lock_reserve(ring, sizeof(*head) + size);
	struct event *event;

	if (!slot)
		return false;
	event = ring_buffer_event_data(slot);
	memcpy(event, head, sizeof(*head));
	memcpy(event->words, words, size);
	wk_ring_buffer_commit(ring, slot);
	return true;
}

void weft_record(void *aspect_, const void *shadow_, const char *format, ...)
{
	const struct weft_aspect *aspect = aspect_;
	const struct weft_shadow *shadow = shadow_;
	struct wk_records *records = aspect->private; /* set by weft_aspect_register() */
	struct event head = {
		.joinpoint = shadow->joinpoint - aspect->joinpoints,
		.pid = current->pid,
		.tgid = current->tgid,
		.uid = __kuid_val(current_uid()),
	};
	va_list args;
	u32 *words;

	preempt_disable_notrace();
	words = this_cpu_ptr(scratch)->words[interrupt_context_level()];
	memcpy(head.comm, current->comm, sizeof(head.comm));
	va_start(args, format);
	head.nr_words = fill_words(words, &format, args);
	va_end(args);
	head.format = format;
	/*
	 * Taken, not read: an interrupt's record in between must not tell of the same losses again.
	 */
	head.lost = this_cpu_xchg(records->counts->lost_since, 0);
	head.time = ktime_get_mono_fast_ns();
	if (commit_event(records->ring, &head, words)) {
		this_cpu_inc(records->counts->written);
	} else {
		this_cpu_inc(records->counts->lost);
		this_cpu_add(records->counts->lost_since, head.lost + 1);
	}
	preempt_enable_notrace();
}
EXPORT_SYMBOL_GPL(weft_record);

/* ---- reading --------------------------------------------------------------------------------- */

/*
 * The CPU that has the oldest unread event, or -1. Writers may add younger ones meanwhile; they
 * come later.
 */
static int oldest_cpu(struct trace_buffer *ring)
{
	int cpu, oldest = -1;
	u64 best = 0;

	for_each_possible_cpu(cpu) {
		struct ring_buffer_event *slot;
		const struct event *event;

		if (ring_buffer_empty_cpu(ring, cpu))
			continue;
		slot = ring_buffer_peek(ring, cpu, NULL, NULL);
		if (!slot)
			continue;
		event = ring_buffer_event_data(slot);
		if (oldest < 0 || event->time < best) {
			oldest = cpu;
			best = event->time;
		}
	}
	return oldest;
}

/* Fills @record, which has room for TEXT_MAX bytes of text, and pads it to 8 bytes. */
static void render(const struct event *event, int cpu, struct weft_record *record)
{
	int n;

	memset(record, 0, sizeof(*record));
	record->joinpoint = event->joinpoint;
	record->time = event->time;
	record->cpu = cpu;
	record->pid = event->pid;
	record->tgid = event->tgid;
	record->uid = event->uid;
	record->lost = event->lost;
	memcpy(record->comm, event->comm, sizeof(record->comm));
	if (event->format)
		n = bstr_printf(record->text, TEXT_MAX, event->format, event->words);
	else
		n = strscpy(record->text, (const char *)event->words, TEXT_MAX);
	record->text_size = clamp(n, 0, TEXT_MAX - 1);
	record->size = ALIGN(sizeof(*record) + record->text_size + 1, 8);
	memset(record->text + record->text_size, 0,
	       record->size - sizeof(*record) - record->text_size);
}

/* Renders the next event without consuming it; returns its CPU or -1. */
static int render_next(struct trace_buffer *ring, struct weft_record *record)
{
	int cpu = ring ? oldest_cpu(ring) : -1;
	struct ring_buffer_event *slot;

	if (cpu < 0)
		return -1;
	slot = ring_buffer_peek(ring, cpu, NULL, NULL);
	render(ring_buffer_event_data(slot), cpu, record);
	return cpu;
}

void wk_records_keep(struct wk_records *records)
{
	struct weft_record *record = kmalloc(sizeof(*record) + TEXT_MAX, GFP_KERNEL);
	u64 dropped = 0;
	int cpu;

	while (record && (cpu = render_next(records->ring, record)) >= 0) {
		struct kept_record *kept =
			kmalloc(offsetof(struct kept_record, record) + record->size, GFP_KERNEL);

		ring_buffer_consume(records->ring, cpu, NULL, NULL);
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
		dropped = ring_buffer_entries(records->ring);
	kfree(record);
	free_ring(records);
	records->lost += dropped;
}

/* Copies one record where it fits. Returns 1, 0: does not fit, or -EFAULT. */
static int copy_record(const struct weft_record *record, void __user *buffer, u32 size, long used)
{
	if (record->size > size - used)
		return 0;
	return copy_to_user(buffer + used, record, record->size) ? -EFAULT : 1;
}

static long read_kept(struct wk_records *records, void __user *buffer, u32 size)
{
	struct kept_record *kept, *next;
	long used = 0;

	list_for_each_entry_safe(kept, next, &records->kept, list) {
		int ret = copy_record(&kept->record, buffer, size, used);

		if (ret < 0)
			return ret;
		if (!ret)
			return used ? used : -EMSGSIZE;
		used += kept->record.size;
		drop_kept(records, kept);
	}
	return used;
}

long wk_records_read(struct wk_records *records, void __user *buffer, u32 size)
{
	struct weft_record *record;
	long used = read_kept(records, buffer, size);
	int cpu;

	if (used || !records->ring)
		return used;
	record = kmalloc(sizeof(*record) + TEXT_MAX, GFP_KERNEL);
	if (!record)
		return -ENOMEM;
	while ((cpu = render_next(records->ring, record)) >= 0) {
		int ret = copy_record(record, buffer, size, used);

		if (ret < 0 || (!ret && !used))
			used = ret < 0 ? ret : -EMSGSIZE;
		if (ret <= 0)
			break;
		used += record->size;
		ring_buffer_consume(records->ring, cpu, NULL, NULL);
	}
	kfree(record);
	return used;
}

u64 wk_records_unread(const struct wk_records *records)
{
	return records->nr_kept + (records->ring ? ring_buffer_entries(records->ring) : 0);
}

void wk_records_totals(const struct wk_records *records, u64 *written_ret, u64 *lost_ret)
{
	u64 written = records->written, lost = records->lost;
	int cpu;

	if (records->counts) {
		for_each_possible_cpu(cpu) {
			written += per_cpu_ptr(records->counts, cpu)->written;
			lost += per_cpu_ptr(records->counts, cpu)->lost;
		}
	}
	*written_ret = written;
	*lost_ret = lost;
}
