// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes and reads records; see record.h. The writer runs inside advice, in any context, and calls
 * only functions that are safe there. For most formats that is only the one that reads the clock.
 * For the others it is also vbin_printf(), which writes to this CPU's scratch buffer for the
 * current context level, and which is given pointers to copies (pointer-args.h).
 */
#include <linux/atomic.h>
#include <linux/cpumask.h>
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
		     WR_VALUES_MAX * sizeof(struct weft_value) + NAMES_MAX,
	/* upper bound for FORMAT_PLAIN, which stores arguments as they were passed */
	ARGUMENTS_MAX = 12,
};

/*
 * How the arguments of a weft_log() statement are stored: values of weft_statement.kind, which is 0
 * until the statement's first record.
 */
enum {
	FORMAT_UNKNOWN,
	/* FORMAT_PLAIN + n: as n words (WEFT_CONTENT_WORDS); no argument is dereferenced */
	FORMAT_PLAIN,
	FORMAT_BINARY = 0xff, /* as vbin_printf() stores them (WEFT_CONTENT_PACKED) */
};

struct scratch_level {
	u32 words[SCRATCH_WORDS];
	struct wk_pointer_args pointer_args;
};

struct scratch {
	struct scratch_level levels[SCRATCH_LEVELS];
};

static struct scratch __percpu *scratch;

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

int wk_records_init(struct wk_records *records, const struct weft_aspect *module,
		    unsigned int kilobytes)
{
	BUILD_BUG_ON(offsetof(struct weft_raw_record, time) != offsetof(struct wr_slot, time));
	BUILD_BUG_ON(offsetof(struct weft_raw_record, size) != offsetof(struct wr_slot, size));
	BUILD_BUG_ON(sizeof(struct weft_raw_record) + SCRATCH_WORDS * sizeof(u32) > WR_SLOT_MAX);
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

/* ---- writing records ------------------------------------------------------------------------- */

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

static int print_binary(u32 *words, size_t n_words, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vbin_printf(words, n_words, format, args);
	va_end(args);
	return n;
}

static u32 fill_text(int n, u32 *text_ret)
{
	*text_ret = WEFT_STATEMENT_TEXT;
	return ALIGN(n + 1, sizeof(u32));
}

/*
 * Writes the arguments to level->words in the form of vbin_printf(). If they do not fit, writes the
 * formatted text instead, truncated. Sets *@text_ret to WEFT_STATEMENT_TEXT or 0; returns the
 * number of bytes.
 */
static u32 fill_words(struct scratch_level *level, const char *format, u32 *text_ret, va_list args)
{
	const u64 *a = level->pointer_args.arguments;
	char *text = (char *)level->words;
	int n;

	BUILD_BUG_ON(WR_ARGUMENTS_MAX != 24); /* EACH_ARGUMENT() lists 24 */
	if (!wk_pointer_args_take(&level->pointer_args, format, args))
		return fill_text(strscpy(text, "(eformat)", sizeof(level->words)), text_ret);
	n = print_binary(level->words, SCRATCH_WORDS, format, EACH_ARGUMENT(a));
	if (n >= 0 && n < SCRATCH_WORDS) {
		*text_ret = 0;
		return n * sizeof(u32);
	}
	return fill_text(scnprintf(text, sizeof(level->words), format, EACH_ARGUMENT(a)), text_ret);
}

/*
 * Returns the number by which records name @statement: its distance in bytes from the struct
 * weft_aspect of its module.
 */
static __always_inline u32 id_of(const struct weft_aspect *aspect,
				 const struct weft_statement *statement)
{
	return (const u8 *)statement - (const u8 *)aspect;
}

static const struct weft_statement *statement_of(const struct wk_records *records,
						 const struct weft_raw_record *record)
{
	return (const void *)records->module + (s32)(record->statement & ~WEFT_STATEMENT_TEXT);
}

/* Fills all of @record except ->words and what wr_ring_reserve() and wr_ring_commit() fill. */
static __always_inline void fill_record(struct weft_raw_record *record, struct wr_ring *ring,
					u32 joinpoint, u32 statement)
{
	record->statement = statement;
	record->joinpoint = joinpoint;
	record->tid = current->pid;
	record->pid = current->tgid;
	record->uid = __kuid_val(current_uid());
	memcpy(record->comm, current->comm, sizeof(record->comm));
	record->lost = wr_ring_take_lost(ring);
}

static __always_inline struct wr_slot *slot_of(struct weft_raw_record *record)
{
	return (struct wr_slot *)record;
}

/*
 * Copies the first @n arguments of weft_record() after its format. The first two are in registers,
 * which weft_record() has saved, and the others on the stack. va_arg() would test for each argument
 * which of the two holds.
 */
static __always_inline void copy_arguments(u64 *words, unsigned int n, va_list args)
{
	const u64 *saved = args->reg_save_area + args->gp_offset;
	const u64 *stack = args->overflow_arg_area;

	if (n)
		words[0] = saved[0];
	if (n > 1)
		words[1] = saved[1];
	for (unsigned int i = 2; i < n; i++)
		words[i] = stack[i - 2];
}

static __always_inline void record_plain(struct wr_ring *ring, u32 joinpoint, u32 statement,
					 unsigned int n, va_list args)
{
	u32 size = sizeof(struct weft_raw_record) + n * sizeof(u64);
	struct weft_raw_record *record = wr_ring_reserve(ring, size, ktime_get_mono_fast_ns);

	if (unlikely(!record))
		return;
	fill_record(record, ring, joinpoint, statement);
	copy_arguments(record->words, n, args);
	wr_ring_commit(ring, slot_of(record), size);
}

/*
 * The functions called here may be woven themselves. A hit in one of them would write a record into
 * the same scratch buffer. If this is called from advice, the nesting guard is taken already and
 * prevents that; but start and end blocks run without it. So the guard is taken here, and such hits
 * are missed.
 */
static noinline void record_binary(struct wr_ring *ring, u32 joinpoint, u32 statement,
				   const char *format, va_list args)
{
	struct scratch_level *level = &this_cpu_ptr(scratch)->levels[interrupt_context_level()];
	long guard = wk_guard_take();
	u32 text, bytes = fill_words(level, format, &text, args);
	u32 size = ALIGN(sizeof(struct weft_raw_record) + bytes, WR_SLOT_ALIGN);
	struct weft_raw_record *record = wr_ring_reserve(ring, size, ktime_get_mono_fast_ns);

	if (record) {
		fill_record(record, ring, joinpoint, statement | text);
		memcpy(record->words, level->words, bytes);
		wr_ring_commit(ring, slot_of(record), size);
	}
	wk_guard_give_back(guard);
}

/*
 * Called at a statement's first record: adds the statement to records->statements, which recorders
 * read (wk_records_statement()), before the record is in the ring. CPUs that do this at the same
 * time add it twice.
 */
static noinline void meet(struct wk_records *records, struct weft_statement *statement)
{
	unsigned int index = atomic_inc_return(&records->nr_statements) - 1;

	if (index < ARRAY_SIZE(records->statements))
		WRITE_ONCE(records->statements[index], statement);
	smp_store_release(&statement->kind, classify(statement->format));
}

void notrace weft_record(void *aspect_, const void *shadow_, void *statement_, const char *format,
			 ...)
{
	struct weft_statement *statement = statement_;
	const struct weft_aspect *aspect = aspect_;
	const struct weft_shadow *shadow = shadow_;
	struct wk_records *records = aspect->private; /* set by weft_aspect_register() */
	u32 joinpoint = shadow->joinpoint - aspect->joinpoints;
	struct wr_ring *ring;
	va_list args;

	preempt_disable_notrace();
	ring = this_cpu_ptr(records->rings);
	if (unlikely(statement->kind == FORMAT_UNKNOWN))
		meet(records, statement);
	va_start(args, format);
	if (likely(statement->kind != FORMAT_BINARY))
		record_plain(ring, joinpoint, id_of(aspect, statement),
			     statement->kind - FORMAT_PLAIN, args);
	else
		record_binary(ring, joinpoint, id_of(aspect, statement), format, args);
	va_end(args);
	preempt_enable_notrace();
}
EXPORT_SYMBOL_GPL(weft_record);

/* ---- reading records ------------------------------------------------------------------------- */

/*
 * Returns the CPU whose ring holds the oldest unread record, and sets *@ret to that record; -1:
 * there is none. Records that are written meanwhile may be missed; they come with a later call.
 */
static int oldest_cpu(const struct wk_records *records, const struct weft_raw_record **ret)
{
	int cpu, found = -1;

	for_each_possible_cpu(cpu) {
		const struct weft_raw_record *raw =
			(const void *)wr_ring_peek(per_cpu_ptr(records->rings, cpu));

		if (raw && (found < 0 || raw->time < (*ret)->time)) {
			found = cpu;
			*ret = raw;
		}
	}
	return found;
}

/*
 * Formats a record whose arguments are stored as they were passed. Passes each of them to
 * snprintf() as eight bytes, since the calling convention passes integers and pointers of any type
 * so. Passes more arguments than the format has; snprintf() ignores those.
 */
static void render_plain(const struct weft_raw_record *raw, const char *format, char *text,
			 size_t size)
{
	unsigned int n = (raw->size - sizeof(*raw)) / sizeof(u64);
	u64 w[ARGUMENTS_MAX] = { 0 };

	memcpy(w, raw->words, min_t(unsigned int, n, ARGUMENTS_MAX) * sizeof(u64));
	snprintf(text, size, format, w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8],
			w[9], w[10], w[11]);
}

static void render_as(const struct weft_raw_record *raw, u8 kind, const char *format, char *text,
		      size_t size)
{
	if (kind != FORMAT_BINARY)
		render_plain(raw, format, text, size);
	else
		bstr_printf(text, size, format, (const u32 *)raw->words);
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
static unsigned int render_text(const struct weft_raw_record *raw,
				const struct weft_statement *statement,
				struct rendering *rendering, u32 *size_ret)
{
	const char *format = statement->format;
	unsigned int n;

	if (raw->statement & WEFT_STATEMENT_TEXT) {
		strscpy(rendering->text, (const char *)raw->words, TEXT_MAX);
		*size_ret = strlen(rendering->text);
		return 0;
	}
	n = wk_values_mark(format, rendering->format);
	if (n) {
		render_as(raw, statement->kind, rendering->format, rendering->text,
			  sizeof(rendering->text));
		return wk_values_take(rendering->text, TEXT_MAX - 1, rendering->values, size_ret);
	}
	render_as(raw, statement->kind, format, rendering->text, TEXT_MAX);
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

static void render(const struct wk_records *records, const struct weft_raw_record *raw, int cpu,
		   struct rendering *rendering)
{
	struct weft_record *record = (struct weft_record *)rendering->record;
	const struct weft_statement *statement = statement_of(records, raw);
	const char *names = statement->values;

	memset(record, 0, sizeof(*record));
	record->joinpoint = raw->joinpoint;
	record->time = raw->time;
	record->cpu = cpu;
	record->pid = raw->tid;
	record->tgid = raw->pid;
	record->uid = raw->uid;
	record->lost = raw->lost;
	memcpy(record->comm, raw->comm, sizeof(record->comm));
	record->size = sizeof(*record);
	record->nr_values = render_text(raw, statement, rendering, &record->text_size);
	append(record, rendering->text, record->text_size);
	memcpy(rendering->record + record->size, rendering->values,
	       record->nr_values * sizeof(struct weft_value));
	record->size += record->nr_values * sizeof(struct weft_value);
	record->names_size = record->nr_values ? strnlen(names, NAMES_MAX - 1) : 0;
	append(record, names, record->names_size);
}

/* Formats the oldest unread record without consuming it. Returns its CPU; -1: there is none. */
static int render_next(const struct wk_records *records, struct rendering *rendering)
{
	const struct weft_raw_record *raw;
	int cpu = records->rings ? oldest_cpu(records, &raw) : -1;

	if (cpu >= 0)
		render(records, raw, cpu, rendering);
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
			written += per_cpu_ptr(records->rings, cpu)->written;
			lost += per_cpu_ptr(records->rings, cpu)->lost;
		}
	}
	*written_ret = written;
	*lost_ret = lost;
}

const struct weft_statement *wk_records_statement(const struct wk_records *records, u32 index,
						  struct weft_statement_text *ret)
{
	const struct weft_statement *statement =
		index < WK_STATEMENTS_MAX ? READ_ONCE(records->statements[index]) : NULL;
	u8 kind = statement ? smp_load_acquire(&statement->kind) : FORMAT_UNKNOWN;

	if (kind == FORMAT_UNKNOWN || !records->module)
		return NULL;
	ret->id = id_of(records->module, statement);
	ret->content = kind == FORMAT_BINARY ? WEFT_CONTENT_PACKED : WEFT_CONTENT_WORDS;
	ret->nr_arguments = kind == FORMAT_BINARY ? 0 : kind - FORMAT_PLAIN;
	return statement;
}

/*
 * Prints five numbers of one byte: they take two words if vbin_printf() stores them as bytes, five
 * if it stores each as four bytes.
 */
u32 wk_record_packed(void)
{
	u32 words[8];

	int n = print_binary(words, ARRAY_SIZE(words), "%hhd%hhd%hhd%hhd%hhd", 1, 2, 3, 4, 5);

	return n > 2 ? WEFT_PACKED_WIDE : 0;
}
