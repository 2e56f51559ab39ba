// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes and reads records; see record.h. The writer runs inside advice, in any context, and calls
 * only functions that are safe there. For most formats that is only the one that reads the clock.
 * For the others it is also vbin_printf(), which writes to this CPU's scratch buffer for the
 * current context level, and which is given pointers to copies (pointer-args.h).
 */
#include <linux/cred.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>

#include "runtime/advice.h"
#include "splice/platform.h"
#include "record/pointer-args.h"
#include "record/record.h"
#include "record/record-values.h"
#include "base/lock.h"

enum {
	SCRATCH_WORDS = 256, /* 1 KiB of arguments per record */
	SCRATCH_LEVELS = 4,  /* task, softirq, irq, NMI: each may interrupt those before it */
	TEXT_MAX = 1024,
	NAMES_MAX = 512, /* bytes of a record's names, with the NUL */
	RECORD_MAX = sizeof(struct weft_record) + TEXT_MAX +
		     WK_VALUES_MAX * sizeof(struct weft_value) + NAMES_MAX,
	/* upper bound for FORMAT_PLAIN, which stores arguments as they were passed */
	ARGUMENTS_MAX = 12,
};

/*
 * How the arguments of a weft_log() statement are stored: values of weft_statement.kind, which is 0
 * until the statement's first record.
 */
enum {
	FORMAT_UNKNOWN,
	/* FORMAT_PLAIN + n: n arguments, none of which is dereferenced */
	FORMAT_PLAIN,
	FORMAT_BINARY = 0xff,
};

struct scratch_level {
	u32 words[SCRATCH_WORDS];
	struct wk_pointer_args pointer_args;
};

struct scratch {
	struct scratch_level levels[SCRATCH_LEVELS];
};

static struct scratch __percpu *scratch;

/* How the arguments of an event are stored. */
enum content { CONTENT_PLAIN, CONTENT_BINARY, CONTENT_TEXT };

/* A record as it is stored in the ring. */
struct event {
	struct wr_slot slot;
	u32 joinpoint;
	u64 time;
	const struct weft_statement *statement;
	u32 pid, tgid, uid;
	u32 lost;
	char comm[TASK_COMM_LEN];
	u8 content; /* enum content */
	u64 words[]; /* PLAIN: the arguments; BINARY: the output of vbin_printf(); TEXT: the text */
};

/* A record that has been formatted, because its format string's module is gone. */
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
	wk_records_totals(records, &records->written, &records->lost);
	wk_rings_destroy(records->rings);
	wk_account_close(&records->of_rings);
	records->rings = NULL;
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
 * Returns FORMAT_PLAIN + n or FORMAT_BINARY for @format. Only %s and some extensions of %p
 * dereference an argument. The extensions that are listed here use only the value of the pointer,
 * and vbin_printf() stores them as pointers, too.
 */
static u8 classify(const char *format)
{
	struct wr_conversion conversion;
	unsigned int n = 0;

	for (; (format = strchr(format, '%')); format = conversion.end) {
		if (!wr_conversion_parse(format, &conversion) || conversion.type == 's')
			return FORMAT_BINARY;
		if (conversion.extension && !strchr("SsxKe", conversion.extension))
			return FORMAT_BINARY;
		n += wr_conversion_arguments(&conversion);
	}
	return n <= ARGUMENTS_MAX ? FORMAT_PLAIN + n : FORMAT_BINARY;
}

/*
 * The 24 elements of the array @a as a list of arguments for a printf-like function, which ignores
 * those that the format does not use.
 */
#define EACH_ARGUMENT(a)                                                                         \
	(a)[0], (a)[1], (a)[2], (a)[3], (a)[4], (a)[5], (a)[6], (a)[7], (a)[8], (a)[9], (a)[10], \
		(a)[11], (a)[12], (a)[13], (a)[14], (a)[15], (a)[16], (a)[17], (a)[18], (a)[19], \
		(a)[20], (a)[21], (a)[22], (a)[23]

static int print_binary(u32 *words, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vbin_printf(words, SCRATCH_WORDS, format, args);
	va_end(args);
	return n;
}

static u32 fill_text(int n, u8 *content)
{
	*content = CONTENT_TEXT;
	return ALIGN(n + 1, sizeof(u32));
}

/*
 * Writes the arguments to level->words in the form of vbin_printf(). If they do not fit, writes the
 * formatted text instead, truncated. Sets *@content; returns the number of bytes.
 */
static u32 fill_words(struct scratch_level *level, const char *format, u8 *content, va_list args)
{
	const u64 *a = level->pointer_args.arguments;
	char *text = (char *)level->words;
	int n;

	BUILD_BUG_ON(WR_ARGUMENTS_MAX != 24); /* EACH_ARGUMENT() lists 24 */
	if (!wk_pointer_args_take(&level->pointer_args, format, args))
		return fill_text(strscpy(text, "(eformat)", sizeof(level->words)), content);
	n = print_binary(level->words, format, EACH_ARGUMENT(a));
	if (n >= 0 && n < SCRATCH_WORDS) {
		*content = CONTENT_BINARY;
		return n * sizeof(u32);
	}
	return fill_text(scnprintf(text, sizeof(level->words), format, EACH_ARGUMENT(a)), content);
}

/* Fills all of @event except ->words. */
static __always_inline void fill_event(struct event *event, struct wr_ring *ring, u64 time,
				       u32 joinpoint, const struct weft_statement *statement,
				       u8 content)
{
	event->joinpoint = joinpoint;
	event->time = time;
	event->statement = statement;
	event->pid = current->pid;
	event->tgid = current->tgid;
	event->uid = __kuid_val(current_uid());
	memcpy(event->comm, current->comm, sizeof(event->comm));
	event->content = content;
	event->lost = wr_ring_take_lost(ring);
}

static __always_inline void record_plain(struct wr_ring *ring, u32 joinpoint,
					 const struct weft_statement *statement, unsigned int n,
					 va_list args)
{
	u32 size = sizeof(struct event) + n * sizeof(u64);
	u64 time = ktime_get_mono_fast_ns();
	struct event *event = wr_ring_reserve(ring, size);

	if (unlikely(!event))
		return;
	fill_event(event, ring, time, joinpoint, statement, CONTENT_PLAIN);
	for (unsigned int i = 0; i < n; i++)
		event->words[i] = va_arg(args, u64);
	wr_ring_commit(ring, &event->slot, size);
}

/*
 * The functions called here may be woven themselves. A hit in one of them would write a record into
 * the same scratch buffer. If this is called from advice, the nesting guard is taken already and
 * prevents that; but start and end blocks run without it. So the guard is taken here, and such hits
 * are missed.
 */
static noinline void record_binary(struct wr_ring *ring, u32 joinpoint,
				   const struct weft_statement *statement, va_list args)
{
	struct scratch_level *level = &this_cpu_ptr(scratch)->levels[interrupt_context_level()];
	long guard = wk_guard_take();
	u8 content;
	u32 bytes = fill_words(level, statement->format, &content, args);
	u32 size = ALIGN(sizeof(struct event) + bytes, WR_SLOT_ALIGN);
	u64 time = ktime_get_mono_fast_ns();
	struct event *event = wr_ring_reserve(ring, size);

	if (event) {
		fill_event(event, ring, time, joinpoint, statement, content);
		memcpy(event->words, level->words, bytes);
		wr_ring_commit(ring, &event->slot, size);
	}
	wk_guard_give_back(guard);
}

void notrace weft_record(void *aspect_, const void *shadow_, void *statement_, const char *format,
			 ...)
{
	struct weft_statement *statement = statement_;
	const struct weft_aspect *aspect = aspect_;
	const struct weft_shadow *shadow = shadow_;
	const struct wk_records *records = aspect->private; /* set by weft_aspect_register() */
	u32 joinpoint = shadow->joinpoint - aspect->joinpoints;
	struct wr_ring *ring;
	va_list args;

	preempt_disable_notrace();
	ring = this_cpu_ptr(records->rings);
	if (unlikely(statement->kind == FORMAT_UNKNOWN))
		WRITE_ONCE(statement->kind, classify(format));
	va_start(args, format);
	if (likely(statement->kind != FORMAT_BINARY))
		record_plain(ring, joinpoint, statement, statement->kind - FORMAT_PLAIN, args);
	else
		record_binary(ring, joinpoint, statement, args);
	va_end(args);
	preempt_enable_notrace();
}
EXPORT_SYMBOL_GPL(weft_record);

/* ---- reading --------------------------------------------------------------------------------- */

/*
 * Returns the CPU whose ring holds the oldest unread event, or -1. Events that are written
 * meanwhile may be missed; they come with a later call.
 */
static int oldest_cpu(const struct wk_records *records, const struct event **ret)
{
	int cpu, found = -1;

	for_each_possible_cpu(cpu) {
		const struct event *event =
			(const struct event *)wr_ring_peek(per_cpu_ptr(records->rings, cpu));

		if (event && (found < 0 || event->time < (*ret)->time)) {
			found = cpu;
			*ret = event;
		}
	}
	return found;
}

/*
 * Formats an event whose arguments are stored as they were passed. Passes each of them as eight
 * bytes, which is how the calling convention passes integers and pointers of any type. snprintf()
 * ignores the surplus ones.
 */
static void render_plain(const struct event *event, const char *format, char *text, size_t size)
{
	unsigned int n = (event->slot.size - sizeof(*event)) / sizeof(u64);
	u64 w[ARGUMENTS_MAX] = { 0 };

	memcpy(w, event->words, min_t(unsigned int, n, ARGUMENTS_MAX) * sizeof(u64));
	snprintf(text, size, format, w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8],
			w[9], w[10], w[11]);
}

static void render_as(const struct event *event, const char *format, char *text, size_t size)
{
	if (event->content == CONTENT_PLAIN)
		render_plain(event, format, text, size);
	else
		bstr_printf(text, size, format, (const u32 *)event->words);
}

/* A reader's buffers; too large for the stack. */
struct rendering {
	char format[WK_FORMAT_MAX];
	char text[TEXT_MAX + WK_VALUES_MAX * WK_MARKS_SIZE];
	struct weft_value values[WK_VALUES_MAX];
	u8 record[RECORD_MAX] __aligned(8);
};

/*
 * Formats the event into @rendering->text and ->values. Returns the number of values; *@size_ret is
 * the length of the text.
 */
static unsigned int render_text(const struct event *event, struct rendering *rendering,
				u32 *size_ret)
{
	const char *format = event->statement->format;
	unsigned int n;

	if (event->content == CONTENT_TEXT) {
		strscpy(rendering->text, (const char *)event->words, TEXT_MAX);
		*size_ret = strlen(rendering->text);
		return 0;
	}
	n = wk_values_mark(format, rendering->format);
	if (n && n <= WK_VALUES_MAX) {
		render_as(event, rendering->format, rendering->text, sizeof(rendering->text));
		return wk_values_take(rendering->text, TEXT_MAX - 1, rendering->values, size_ret);
	}
	render_as(event, format, rendering->text, TEXT_MAX);
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

static void render(const struct event *event, int cpu, struct rendering *rendering)
{
	struct weft_record *record = (struct weft_record *)rendering->record;
	const char *names = event->statement->values;

	memset(record, 0, sizeof(*record));
	record->joinpoint = event->joinpoint;
	record->time = event->time;
	record->cpu = cpu;
	record->pid = event->pid;
	record->tgid = event->tgid;
	record->uid = event->uid;
	record->lost = event->lost;
	memcpy(record->comm, event->comm, sizeof(record->comm));
	record->size = sizeof(*record);
	record->nr_values = render_text(event, rendering, &record->text_size);
	append(record, rendering->text, record->text_size);
	memcpy(rendering->record + record->size, rendering->values,
	       record->nr_values * sizeof(struct weft_value));
	record->size += record->nr_values * sizeof(struct weft_value);
	record->names_size = record->nr_values ? strnlen(names, NAMES_MAX - 1) : 0;
	append(record, names, record->names_size);
}

/* Formats the oldest unread event without consuming it. Returns its CPU, or -1 if there is none. */
static int render_next(const struct wk_records *records, struct rendering *rendering)
{
	const struct event *event;
	int cpu = records->rings ? oldest_cpu(records, &event) : -1;

	if (cpu >= 0)
		render(event, cpu, rendering);
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
	int cpu;

	while (record && (cpu = render_next(records, rendering)) >= 0) {
		struct kept_record *kept = keep(records, record);

		wr_ring_consume(per_cpu_ptr(records->rings, cpu));
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
	long used = read_kept(records, buffer, size);
	int cpu;

	wk_assert_locked();
	if (used || !records->rings)
		return used;
	rendering = kmalloc(sizeof(*rendering), GFP_KERNEL);
	if (!rendering)
		return -ENOMEM;
	record = (const struct weft_record *)rendering->record;
	for (u64 n = ring_unread(records); n && (cpu = render_next(records, rendering)) >= 0; n--) {
		if (!copy_record(record, buffer, size, used)) {
			used = used ? used : -EMSGSIZE;
			break;
		}
		used += record->size;
		wr_ring_consume(per_cpu_ptr(records->rings, cpu));
		cond_resched();
	}
	kfree(rendering);
	return used;
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
			written += per_cpu_ptr(records->rings, cpu)->written;
			lost += per_cpu_ptr(records->rings, cpu)->lost;
		}
	}
	*written_ret = written;
	*lost_ret = lost;
}
