// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes records; see record.h. The writer runs inside advice, in any context, and calls only
 * functions that are safe there. For most formats that is only the one that reads the clock. For
 * the others it is also vbin_printf(), which writes to this CPU's scratch buffer for the current
 * context level, and which is given pointers to copies (pointer-args.h).
 */
#include <linux/atomic.h>
#include <linux/cred.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

#include "runtime/advice.h"
#include "splice/platform.h"
#include "record/pointer-args.h"
#include "record/record.h"

enum {
	SCRATCH_WORDS = 256, /* 1 KiB of arguments per record */
	SCRATCH_LEVELS = 4,  /* task, softirq, irq, NMI: each may interrupt those before it */
};

struct scratch_level {
	u32 words[SCRATCH_WORDS];
	struct wk_pointer_args pointer_args;
};

struct scratch {
	struct scratch_level levels[SCRATCH_LEVELS];
};

static struct scratch __percpu *scratch;

int __init wk_record_scratch_init(void)
{
	BUILD_BUG_ON(sizeof(struct weft_raw_wide) + SCRATCH_WORDS * sizeof(u32) > U16_MAX);
	scratch = alloc_percpu(struct scratch);
	return scratch ? 0 : -ENOMEM;
}

void wk_record_scratch_deinit(void)
{
	free_percpu(scratch);
}

/* The bytes of a number that WEFT_CONTENT_WORDS stores for the conversion at @format. */
static unsigned int bytes_of(const char *format, const struct wr_conversion *conversion)
{
	format++;
	format += strspn(format, "-+ #0123456789.*");
	return conversion->type == 'p' || (*format && strchr("lLzt", *format)) ? 8 : 4;
}

/*
 * Finds out how the arguments of @statement are stored: WK_ARGUMENTS_PLAIN or _BINARY.
 * Only %s and some extensions of %p dereference an argument. The extensions that are listed here
 * use only the value of the pointer, and vbin_printf() stores them as pointers, too.
 */
static u8 classify(struct weft_statement *statement)
{
	unsigned int n = 0, size = sizeof(struct weft_raw_record), wide = 0;
	const char *format = statement->format;
	struct wr_conversion conversion;

	for (; (format = strchr(format, '%')); format = conversion.end) {
		unsigned int arguments, bytes;

		if (!wr_conversion_parse(format, &conversion) || conversion.type == 's')
			return WK_ARGUMENTS_BINARY;
		if (conversion.extension && !strchr("SsxKe", conversion.extension))
			return WK_ARGUMENTS_BINARY;
		arguments = wr_conversion_arguments(&conversion);
		if (n + arguments > WK_ARGUMENTS_MAX)
			return WK_ARGUMENTS_BINARY;
		if (!arguments)
			continue;
		bytes = bytes_of(format, &conversion);
		/* A width and a precision are integers, and come before the value. */
		for (; arguments; arguments--, n++) {
			WRITE_ONCE(statement->at[n], size - sizeof(struct weft_raw_record));
			size += arguments > 1 ? sizeof(u32) : bytes;
		}
		if (bytes == 8)
			wide |= 1 << (n - 1);
	}
	BUILD_BUG_ON(ARRAY_SIZE(statement->at) != WK_ARGUMENTS_MAX);
	WRITE_ONCE(statement->nr, n);
	WRITE_ONCE(statement->is_last_wide, n && wide >> (n - 1));
	WRITE_ONCE(statement->size, size);
	WRITE_ONCE(statement->wide, wide | 1 << n);
	return WK_ARGUMENTS_PLAIN;
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

static u32 fill_text(int n, u32 *form_ret)
{
	*form_ret = WEFT_FORM_TEXT;
	return ALIGN(n + 1, sizeof(u32));
}

/*
 * Writes the arguments to level->words in the form of vbin_printf(). If they do not fit, writes the
 * formatted text instead, truncated. Sets *@form_ret to the form of the record; returns the number
 * of bytes.
 */
static u32 fill_words(struct scratch_level *level, const char *format, u32 *form_ret, va_list args)
{
	const u64 *a = level->pointer_args.arguments;
	char *text = (char *)level->words;
	int n;

	BUILD_BUG_ON(WR_ARGUMENTS_MAX != 24); /* EACH_ARGUMENT() lists 24 */
	if (!wk_pointer_args_take(&level->pointer_args, format, args))
		return fill_text(strscpy(text, "(eformat)", sizeof(level->words)), form_ret);
	n = print_binary(level->words, SCRATCH_WORDS, format, EACH_ARGUMENT(a));
	if (n >= 0 && n < SCRATCH_WORDS) {
		*form_ret = WEFT_FORM_WIDE;
		return n * sizeof(u32);
	}
	return fill_text(scnprintf(text, sizeof(level->words), format, EACH_ARGUMENT(a)), form_ret);
}

/* Whose hit it is. */
static inline struct wr_owner owner_now(void)
{
	struct task_struct *task = current;
	struct wr_owner owner = { .uid = __kuid_val(current_uid()) };

	BUILD_BUG_ON(offsetof(struct task_struct, tgid) !=
		     offsetof(struct task_struct, pid) + sizeof(u32));
	BUILD_BUG_ON(sizeof(task->comm) != sizeof(owner.comm));
	memcpy(&owner.ids, &task->pid, sizeof(owner.ids));
	memcpy(owner.comm, task->comm, sizeof(owner.comm));
	return owner;
}

/*
 * Stores the arguments from @to on. The first two of weft_record() after its format are in
 * registers, which it has saved, and the others on the stack. va_arg() would find that out for each
 * of them. All but the last one are stored as eight bytes: of one that has four, the next one
 * overwrites the other four.
 */
static __always_inline void put_arguments(u8 *to, const struct weft_statement *statement,
					  va_list args)
{
	const u64 *saved = args->reg_save_area + args->gp_offset;
	const u64 *stack = args->overflow_arg_area;
	const unsigned int n = statement->nr;
	u64 argument;

	if (!n)
		return;
	argument = saved[0];
	if (n > 1) {
		*(u64 *)to = argument;
		argument = saved[1];
	}
	for (unsigned int i = 2; i < n; i++) {
		*(u64 *)(to + statement->at[i - 1]) = argument;
		argument = *stack++;
	}
	to += statement->at[n - 1];
	if (statement->is_last_wide)
		*(u64 *)to = argument;
	else
		*(u32 *)to = argument;
}

static __always_inline void record_narrow(struct wr_ring *ring, u32 joinpoint,
					  const struct weft_statement *statement, va_list args)
{
	struct weft_raw_record *record;
	u64 time = ktime_get_mono_fast_ns();

	record = wr_ring_reserve(ring, statement->size, owner_now, &time);
	if (unlikely(!record))
		return;
	record->event = statement->event;
	record->time = time;
	record->joinpoint = joinpoint;
	put_arguments(record->values, statement, args);
	wr_ring_commit(ring);
}

/* Reserves a record with @bytes of arguments, and fills it except for these. */
static struct weft_raw_wide *reserve_wide(struct wr_ring *ring, u32 joinpoint, u32 event, u32 bytes)
{
	const u32 size = ALIGN(sizeof(struct weft_raw_wide) + bytes, WEFT_RECORD_ALIGN);
	struct weft_raw_wide *record;
	u64 time = ktime_get_mono_fast_ns();

	record = wr_ring_reserve(ring, size, owner_now, &time);
	if (record) {
		record->event = event;
		record->time = time;
		record->size = size;
		record->joinpoint = joinpoint;
	}
	return record;
}

static void record_wide(struct wr_ring *ring, u32 joinpoint, const struct weft_statement *statement,
			va_list args)
{
	struct weft_raw_wide *record =
		reserve_wide(ring, joinpoint, statement->event + WEFT_FORM_WIDE,
			     statement->size - sizeof(struct weft_raw_record));

	if (!record)
		return;
	put_arguments(record->values, statement, args);
	wr_ring_commit(ring);
}

/*
 * The functions called here may be woven themselves. A hit in one of them would write a record into
 * the same scratch buffer. If this is called from advice, the nesting guard is taken already and
 * prevents that; but start and end blocks run without it. So the guard is taken here, and such hits
 * are missed.
 */
static void record_binary(struct wr_ring *ring, u32 joinpoint,
			  const struct weft_statement *statement, const char *format, va_list args)
{
	struct scratch_level *level = &this_cpu_ptr(scratch)->levels[interrupt_context_level()];
	long guard = wk_guard_take();
	u32 form, bytes = fill_words(level, format, &form, args);
	struct weft_raw_wide *record =
		reserve_wide(ring, joinpoint, statement->event + form, bytes);

	if (record) {
		memcpy(record->values, level->words, bytes);
		wr_ring_commit(ring);
	}
	wk_guard_give_back(guard);
}

/*
 * At a statement's first record: lists it for readers, before that record is in the ring. CPUs that
 * do this at the same time list it twice, and either number is right.
 */
static void meet(struct wk_records *records, struct weft_statement *statement)
{
	unsigned int index = atomic_inc_return(&records->nr_statements) - 1;
	u8 kind = WK_ARGUMENTS_UNLISTED;

	if (index < ARRAY_SIZE(records->statements)) {
		kind = classify(statement);
		WRITE_ONCE(statement->event, WEFT_EVENT(index, 0));
		smp_store_release(&records->statements[index], statement);
	}
	smp_store_release(&statement->kind, kind);
}

/* What is not a narrow record. */
static noinline void record_other(struct wk_records *records, struct wr_ring *ring, u32 joinpoint,
				  struct weft_statement *statement, const char *format,
				  va_list args)
{
	if (statement->kind == WK_ARGUMENTS_UNKNOWN)
		meet(records, statement);
	if (statement->kind == WK_ARGUMENTS_UNLISTED)
		wr_ring_lose(ring);
	else if (statement->kind == WK_ARGUMENTS_BINARY)
		record_binary(ring, joinpoint, statement, format, args);
	else if (joinpoint > WEFT_JOINPOINT_NARROW_MAX)
		record_wide(ring, joinpoint, statement, args);
	else
		record_narrow(ring, joinpoint, statement, args);
}

/*
 * The compiler would clear the va_list and guard the stack, which takes ten instructions. There is
 * no array on this stack.
 */
#if __has_attribute(__uninitialized__)
#define NOT_CLEARED __attribute__((__uninitialized__))
#else
#define NOT_CLEARED
#endif

void notrace WR_NO_STACK_PROTECTOR weft_record(void *aspect_, const void *shadow_, void *statement_,
				     const char *format, ...)
{
	struct weft_statement *statement = statement_;
	const struct weft_aspect *aspect = aspect_;
	const struct weft_shadow *shadow = shadow_;
	struct wk_records *records = aspect->private; /* set by weft_aspect_register() */
	u32 joinpoint = shadow->joinpoint - aspect->joinpoints;
	struct wr_ring *ring;
	va_list args NOT_CLEARED;

	preempt_disable_notrace();
	ring = this_cpu_ptr(records->rings);
	va_start(args, format);
	if (likely(statement->kind == WK_ARGUMENTS_PLAIN && joinpoint <= WEFT_JOINPOINT_NARROW_MAX))
		record_narrow(ring, joinpoint, statement, args);
	else
		record_other(records, ring, joinpoint, statement, format, args);
	va_end(args);
	preempt_enable_notrace();
}
EXPORT_SYMBOL_GPL(weft_record);

/* Five numbers of a byte are in two words of four bytes, or in five. */
u32 wk_record_packed(void)
{
	u32 words[8];

	int n = print_binary(words, ARRAY_SIZE(words), "%hhd%hhd%hhd%hhd%hhd", 1, 2, 3, 4, 5);

	return n > 2 ? WEFT_PACKED_WIDE : 0;
}
