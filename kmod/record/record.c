// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads records, and keeps those of modules that are gone; see record.h. */
#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "runtime/advice.h"
#include "record/record.h"
#include "record/record-values.h"
#include "base/lock.h"

enum {
	TEXT_MAX = 1024,
	NAMES_MAX = 512, /* bytes of a record's names, with the NUL */
	RECORD_MAX = sizeof(struct weft_record) + TEXT_MAX +
		     WR_VALUES_MAX * sizeof(struct weft_value) + NAMES_MAX,
};

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

static void free_ring(struct wk_records *records)
{
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

	if (!rings) {
		wk_account_close(&memory);
		return -ENOMEM;
	}
	free_ring(records);
	records->rings = rings;
	records->of_rings = memory;
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
	u64 oldest = 0;
	int cpu, found = -1;

	for_each_possible_cpu(cpu) {
		struct wr_ring *ring = per_cpu_ptr(records->rings, cpu);
		const void *raw = wr_ring_peek(ring);

		if (raw && (found < 0 || ring->seen_time < oldest)) {
			found = cpu;
			oldest = ring->seen_time;
			*ret = raw;
		}
	}
	return found;
}

/* An unread record, as it is in its ring. */
struct unread {
	const struct weft_statement *statement;
	const u8 *values;
	u32 size; /* bytes of the record */
	u32 joinpoint;
	bool has_text; /* its values are its text */
};

static struct unread unread_of(const struct wk_records *records, const void *raw)
{
	const struct weft_raw_record *narrow = raw;
	const struct weft_raw_wide *wide = raw;
	const u32 form = WEFT_EVENT_FORM(narrow->event);
	const struct weft_statement *statement =
		records->statements[WEFT_EVENT_STATEMENT(narrow->event)];

	if (form == WEFT_FORM_NARROW)
		return (struct unread){ statement, narrow->values, statement->size,
					narrow->joinpoint };
	return (struct unread){ statement, wide->values, wide->size, wide->joinpoint,
				form == WEFT_FORM_TEXT };
}

/*
 * Formats a record whose arguments are stored as they were passed. Passes each of them to
 * snprintf() as eight bytes, since the calling convention passes integers and pointers of any type
 * so. Passes more arguments than the format has; snprintf() ignores those.
 */
static void render_plain(const struct unread *unread, const char *format, char *text, size_t size)
{
	u32 wide = unread->statement->wide;
	const u8 *at = unread->values;
	u64 w[WK_ARGUMENTS_MAX] = { 0 };

	for (unsigned int i = 0; i < WK_ARGUMENTS_MAX && wide != 1; i++, wide >>= 1) {
		const size_t bytes = wide & 1 ? sizeof(u64) : sizeof(u32);

		memcpy(&w[i], at, bytes);
		at += bytes;
	}
	snprintf(text, size, format, w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8],
			w[9], w[10], w[11]);
}

static void render_as(const struct unread *unread, const char *format, char *text, size_t size)
{
	if (unread->statement->kind != WK_ARGUMENTS_BINARY)
		render_plain(unread, format, text, size);
	else
		bstr_printf(text, size, format, (const u32 *)unread->values);
}

/* A reader's buffers; too large for the stack. */
struct rendering {
	char format[WR_MARKED_MAX];
	char text[TEXT_MAX + WR_VALUES_MAX * WR_MARKS_SIZE];
	struct weft_value values[WR_VALUES_MAX];
	u8 record[RECORD_MAX] __aligned(8);
};

/*
 * Formats the record into @rendering->text and ->values. Returns the number of values; *@size_ret
 * is the length of the text.
 */
static unsigned int render_text(const struct unread *unread, struct rendering *rendering,
				u32 *size_ret)
{
	const char *format = unread->statement->format;
	unsigned int n;

	if (unread->has_text) {
		strscpy(rendering->text, (const char *)unread->values, TEXT_MAX);
		*size_ret = strlen(rendering->text);
		return 0;
	}
	n = wk_values_mark(format, rendering->format);
	if (n) {
		render_as(unread, rendering->format, rendering->text, sizeof(rendering->text));
		return wk_values_take(rendering->text, TEXT_MAX - 1, rendering->values, size_ret);
	}
	render_as(unread, format, rendering->text, TEXT_MAX);
	*size_ret = strlen(rendering->text);
	return 0;
}

/* Appends @size bytes and a NUL to the record, and pads it to a multiple of 8 bytes. */
static void append(struct weft_record *record, const char *text, u32 size)
{
	char *to = (char *)record + record->size;

	memcpy(to, text, size);
	memset(to + size, 0, ALIGN(size + 1, 8) - size);
	record->size += ALIGN(size + 1, 8);
}

static void render(const struct unread *unread, const struct wr_ring *ring, int cpu,
		   struct rendering *rendering)
{
	struct weft_record *record = (struct weft_record *)rendering->record;
	const char *names = unread->statement->values;

	memset(record, 0, sizeof(*record));
	record->joinpoint = unread->joinpoint;
	record->time = ring->seen_time;
	record->cpu = cpu;
	record->pid = ring->seen.tid;
	record->tgid = ring->seen.pid;
	record->uid = ring->seen.uid;
	record->lost = ring->seen.lost;
	memcpy(record->comm, ring->seen.comm, sizeof(record->comm));
	record->size = sizeof(*record);
	record->nr_values = render_text(unread, rendering, &record->text_size);
	append(record, rendering->text, record->text_size);
	memcpy(rendering->record + record->size, rendering->values,
	       record->nr_values * sizeof(struct weft_value));
	record->size += record->nr_values * sizeof(struct weft_value);
	record->names_size = record->nr_values ? strnlen(names, NAMES_MAX - 1) : 0;
	append(record, names, record->names_size);
}

/*
 * Formats the oldest unread record without consuming it. Returns its CPU, and its size in
 * *@size_ret; -1: there is none.
 */
static int render_next(const struct wk_records *records, struct rendering *rendering, u32 *size_ret)
{
	const void *raw;
	int cpu = records->rings ? oldest_cpu(records, &raw) : -1;

	if (cpu >= 0) {
		const struct unread unread = unread_of(records, raw);

		render(&unread, per_cpu_ptr(records->rings, cpu), cpu, rendering);
		*size_ret = unread.size;
	}
	return cpu;
}

static u64 ring_unread(const struct wk_records *records)
{
	u64 n = 0;
	int cpu;

	if (records->rings)
		for_each_possible_cpu(cpu)
			n += wr_ring_unread(per_cpu_ptr(records->rings, cpu));
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
	struct rendering *rendering = kmalloc(sizeof(*rendering), GFP_KERNEL);
	const struct weft_record *record =
		rendering ? (const struct weft_record *)rendering->record : NULL;
	u64 dropped = 0;
	u32 size;
	int cpu;

	while (record && (cpu = render_next(records, rendering, &size)) >= 0) {
		struct kept_record *kept = keep(records, record);

		wr_ring_consume(per_cpu_ptr(records->rings, cpu), size);
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

long wk_records_read(struct wk_records *records, void *buffer, u32 size)
{
	const struct weft_record *record;
	struct rendering *rendering;
	u32 raw_size;
	long used;
	int cpu;

	wk_assert_locked();
	if (records->recorder.file)
		return -EBUSY;
	used = read_kept(records, buffer, size);
	if (used || !records->rings)
		return used;
	rendering = kmalloc(sizeof(*rendering), GFP_KERNEL);
	if (!rendering)
		return -ENOMEM;
	record = (const struct weft_record *)rendering->record;
	for (u64 n = ring_unread(records);
	     n && (cpu = render_next(records, rendering, &raw_size)) >= 0; n--) {
		if (!copy_record(record, buffer, size, used)) {
			used = used ? used : -EMSGSIZE;
			break;
		}
		used += record->size;
		wr_ring_consume(per_cpu_ptr(records->rings, cpu), raw_size);
		cond_resched();
	}
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
			written += wr_ring_written(per_cpu_ptr(records->rings, cpu));
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
