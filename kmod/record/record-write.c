// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes records; see record.h. The writer runs inside advice, in any context, and calls only
 * functions that are safe there: for most formats, only the one that reads the clock. For the
 * other formats it also calls vbin_printf(), which writes to this CPU's scratch buffer for the
 * current context level, and which gets pointers to copies (pointer-args.h).
 */
#include <linux/atomic.h>
#include <linux/cred.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/user_namespace.h>

#include "runtime/advice.h"
#include "splice/platform.h"
#include "compat/dumpable.h"
#include "compat/preempt-count.h"
#include "record/pointer-args.h"
#include "record/record-clock.h"
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
	wk_record_clock_init();
	scratch = alloc_percpu(struct scratch);
	return scratch ? 0 : -ENOMEM;
}

void wk_record_scratch_deinit(void)
{
	free_percpu(scratch);
}

/* The size in bytes, 4 or 8, in which WEFT_CONTENT_WORDS stores the value of @conversion. */
static unsigned int bytes_of(const char *format, const struct wr_conversion *conversion)
{
	format++;
	format += strspn(format, "-+ #0123456789.*");
	return conversion->type == 'p' || (*format && strchr("lLzt", *format)) ? 8 : 4;
}

/*
 * Finds out how the arguments of @statement are stored, and returns WK_ARGUMENTS_PLAIN or _BINARY.
 * Only %s and some extensions of %p dereference an argument. The extensions "SsxKe" use only the
 * value of the pointer.
 */
static u8 classify(struct weft_statement *statement)
{
	const unsigned int head = sizeof(struct weft_raw_record);
	const unsigned int tight = sizeof(struct weft_raw_tight);
	unsigned int n = 0, size = head, wide = 0;
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
			WRITE_ONCE(statement->at[n], size - head);
			size += arguments > 1 ? sizeof(u32) : bytes;
		}
		if (bytes == 8)
			wide |= 1 << (n - 1);
	}
	BUILD_BUG_ON(ARRAY_SIZE(statement->at) != WK_ARGUMENTS_MAX);
	if (n != statement->nr) /* the compiler compares the format with the arguments */
		return WK_ARGUMENTS_BINARY;
	for (unsigned int i = 0; i < ARRAY_SIZE(statement->few) && i < n; i++) {
		const unsigned int which = ARRAY_SIZE(statement->few) - 1 - i;

		WRITE_ONCE(statement->few[which], head + statement->at[n - 1 - i]);
		WRITE_ONCE(statement->tight[which], tight + statement->at[n - 1 - i]);
	}
	WRITE_ONCE(statement->is_last_wide, n && wide >> (n - 1));
	WRITE_ONCE(statement->size, size);
	WRITE_ONCE(statement->step, wr_ring_step(size));
	WRITE_ONCE(statement->tight_step, wr_ring_step(size - head + tight));
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
static u32 fill_words(struct scratch_level *level, const char *format, u32 *form_ret,
		      const u64 *arguments)
{
	const u64 *a = level->pointer_args.arguments;
	char *text = (char *)level->words;
	int n;

	BUILD_BUG_ON(WR_ARGUMENTS_MAX != 24); /* EACH_ARGUMENT() lists 24 */
	if (!wk_pointer_args_take(&level->pointer_args, format, arguments))
		return fill_text(strscpy(text, "(eformat)", sizeof(level->words)), form_ret);
	n = print_binary(level->words, SCRATCH_WORDS, format, EACH_ARGUMENT(a));
	if (n >= 0 && n < SCRATCH_WORDS) {
		*form_ret = WEFT_FORM_WIDE;
		return n * sizeof(u32);
	}
	return fill_text(scnprintf(text, sizeof(level->words), format, EACH_ARGUMENT(a)), form_ret);
}

/* The ids of a task, as in struct wr_owner. */
static __always_inline u64 ids_of(const struct task_struct *task)
{
	BUILD_BUG_ON(offsetof(struct task_struct, tgid) !=
		     offsetof(struct task_struct, pid) + sizeof(u32));
	return *(const u64 *)&task->pid;
}

/*
 * Has an interrupt, softirq or NMI made this hit? In assembler, as one instruction that tests the
 * preemption count in memory; the compiler would load it first.
 */
static __always_inline bool is_interrupt(void)
{
	bool is;

	asm volatile("testl %1, %%gs:" WK_PREEMPT_COUNT_SYMBOL "+%c2(%%rip)"
		     : "=@ccnz"(is)
		     : "i"(NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET), "i"(WK_PREEMPT_COUNT_OFFSET));
	return is;
}

/*
 * May the user of the current task read the task's records? Decides as the kernel's
 * ptrace_may_access() would for another process of that user that is in no user namespace. One
 * difference: the two processes may have different groups.
 */
static bool is_users(const struct cred *cred)
{
	const struct user_namespace *ns = cred->user_ns;

	if (!wk_is_dumpable(wk_dumpable_byte(current)) || !current->mm ||
	    !uid_eq(cred->euid, cred->uid) || !uid_eq(cred->suid, cred->uid) ||
	    !gid_eq(cred->egid, cred->gid) || !gid_eq(cred->sgid, cred->gid))
		return false;
	if (ns == &init_user_ns)
		return cap_isclear(cred->cap_permitted);
	/* The user who created a user namespace may do anything to the processes in it. */
	while (ns->parent && ns->parent != &init_user_ns)
		ns = ns->parent;
	return uid_eq(ns->owner, cred->uid);
}

enum {
	/* Large odd numbers, so that sums with these products are unlikely to be equal. */
	EXEC_FACTOR = 0x5bd1e995,
	LOOKS_FACTOR = 0x2545f491,
};

/* A wr_owner.identity that no task has: so the next record gets a state record, too. */
#define IDENTITY_NONE (~0ull)

/*
 * Returns a number that changes with each exec() and differs between tasks. If a new task gets the
 * ids of one that has ended, their numbers differ by the time between their starts, in nanoseconds.
 * A task cannot choose anything that the number is made of.
 */
static __always_inline u64 identity_of(const struct task_struct *task)
{
	/* r11 is free in weft_record_few(). Any other register would have to be saved there. */
	register u64 identity asm("r11");

	identity = task->self_exec_id * EXEC_FACTOR;
	identity += ids_of(task);
	asm("" : "+r"(identity));
	return identity + task->start_time;
}

/*
 * Returns a number that changes when the task's name or user changes without exec(). A task could
 * choose a new name for which the number is the same; then its records have the old name.
 */
static __always_inline u64 looks_of(const struct task_struct *task)
{
	const u64 *comm = (const u64 *)task->comm;
	const u32 uid = __kuid_val(rcu_dereference_protected(task->real_cred, true)->uid);

	return (uid + comm[1]) * LOOKS_FACTOR + comm[0];
}

static struct wr_owner owner_now(bool for_users)
{
	const struct cred *cred = rcu_dereference_protected(current->real_cred, true);
	struct wr_owner owner = { .ids = ids_of(current),
				  .identity = identity_of(current),
				  .looks = looks_of(current),
				  .uid = __kuid_val(cred->uid),
				  .dumpable = wk_dumpable_byte(current) };

	BUILD_BUG_ON(sizeof(current->comm) != sizeof(owner.comm));
	memcpy(owner.comm, current->comm, sizeof(owner.comm));
	if (for_users && is_interrupt())
		owner.identity ^= WR_OWNER_INTERRUPTED;
	/* exec() changes ->self_exec_id before the task gets its new credentials. */
	if (current->in_execve)
		owner.identity = IDENTITY_NONE;
	owner.open = for_users && !is_interrupt() && is_users(cred);
	return owner;
}

/*
 * Is the current task still the one that @noted describes, so that no new state record is needed?
 * is_users() need not be asked again: without exec() a task gains no rights that is_users() looks
 * at, and when it ceases to be dumpable, that is seen here. exec() changes the identity. The user
 * is that of ->real_cred, as in ptrace_may_access(), not that of credentials which the task has
 * only borrowed (override_creds()), as a file system does with a user's in a task of root.
 */
static __always_inline bool is_of(const struct wr_owner *noted, const u8 *for_users)
{
	const struct task_struct *task = current;
	u64 identity = identity_of(task);

	if (unlikely(is_interrupt()) && *for_users)
		identity ^= WR_OWNER_INTERRUPTED;
	return identity == noted->identity && looks_of(task) == noted->looks &&
	       wk_dumpable_byte(task) == noted->dumpable;
}

static const struct wr_owning owning = { .get = owner_now, .is_of = is_of };

/*
 * Stores the arguments at @to. Each but the last is stored as eight bytes; if it has only four, the
 * next argument overwrites the rest.
 */
static void put_arguments(u8 *to, const struct weft_statement *statement, const u64 *arguments)
{
	const unsigned int n = statement->nr;
	unsigned int i = 0;

	if (!n)
		return;
	for (; i + 1 < n; i++)
		*(u64 *)(to + statement->at[i]) = arguments[i];
	if (statement->is_last_wide)
		*(u64 *)(to + statement->at[i]) = arguments[i];
	else
		*(u32 *)(to + statement->at[i]) = arguments[i];
}

static __always_inline void fill_head(struct weft_raw_record *record,
				      const struct weft_statement *statement, u64 time,
				      u32 joinpoint)
{
	record->head = statement->head;
	record->time = time;
	record->joinpoint = joinpoint;
}

static __always_inline void fill_tight_head(struct weft_raw_tight *record,
					    const struct weft_statement *statement, u64 time,
					    u32 joinpoint)
{
	record->head = statement->tight_head;
	record->time = time;
	record->joinpoint = joinpoint;
}

static void record_narrow(struct wr_ring *ring, u32 joinpoint,
			  const struct weft_statement *statement, u64 time, const u64 *arguments)
{
	struct weft_raw_record *record = wr_ring_reserve(ring, statement->size, owning, &time);

	if (!record)
		return;
	fill_head(record, statement, time, joinpoint);
	put_arguments(record->values, statement, arguments);
	wr_ring_commit(ring);
}

/* Reserves a record with @bytes of arguments, and fills it except for these. */
static struct weft_raw_wide *reserve_wide(struct wr_ring *ring, u32 joinpoint, u32 head, u64 time,
					  u32 bytes)
{
	const u32 size = ALIGN(sizeof(struct weft_raw_wide) + bytes, WEFT_RECORD_ALIGN);
	struct weft_raw_wide *record = wr_ring_reserve(ring, size, owning, &time);

	if (record) {
		record->head = head;
		record->time = time;
		record->size = size;
		record->joinpoint = joinpoint;
	}
	return record;
}

static void record_wide(struct wr_ring *ring, u32 joinpoint, const struct weft_statement *statement,
			u64 time, const u64 *arguments)
{
	struct weft_raw_wide *record =
		reserve_wide(ring, joinpoint, statement->head + WEFT_HEAD(WEFT_FORM_WIDE, 0), time,
			     statement->size - sizeof(struct weft_raw_record));

	if (!record)
		return;
	put_arguments(record->values, statement, arguments);
	wr_ring_commit(ring);
}

/*
 * Stores the arguments in the form of vbin_printf(). The functions called here may be woven
 * themselves. A hit in one of them would write a record into the same scratch buffer. The nesting
 * guard prevents such hits; they are missed. Advice has taken the guard already, but start and end
 * blocks run without it, so it is taken here.
 */
static void record_binary(struct wr_ring *ring, u32 joinpoint,
			  const struct weft_statement *statement, u64 time, const u64 *arguments)
{
	struct scratch_level *level = &this_cpu_ptr(scratch)->levels[interrupt_context_level()];
	long guard = wk_guard_take();
	u32 form, bytes = fill_words(level, statement->format, &form, arguments);
	struct weft_raw_wide *record =
		reserve_wide(ring, joinpoint, statement->head + WEFT_HEAD(form, 0), time, bytes);

	if (record) {
		memcpy(record->values, level->words, bytes);
		wr_ring_commit(ring);
	}
	wk_guard_give_back(guard);
}

/*
 * Called at a statement's first record: lists the statement for readers, before the record is in
 * the ring. CPUs that do this at the same time list it several times; a record may have any of
 * these indexes.
 */
static void meet(struct wk_records *records, struct weft_statement *statement)
{
	unsigned int index = atomic_inc_return(&records->nr_statements) - 1;
	u8 kind = WK_ARGUMENTS_UNLISTED;

	if (index < ARRAY_SIZE(records->statements)) {
		kind = classify(statement);
		WRITE_ONCE(statement->head, WEFT_HEAD(WEFT_EVENT(index, 0), WEFT_HEAD_PLAIN));
		if (index <= WEFT_STATEMENT_TIGHT_MAX)
			WRITE_ONCE(statement->tight_head,
				   WEFT_HEAD(WEFT_EVENT(index, WEFT_FORM_TIGHT), WEFT_HEAD_TIGHT));
		smp_store_release(&records->statements[index], statement);
	}
	WRITE_ONCE(statement->rings, (void *)(unsigned long __force)records->rings);
	smp_store_release(&statement->kind, kind);
	if (kind != WK_ARGUMENTS_PLAIN || statement->nr > ARRAY_SIZE(statement->few))
		return;
	smp_store_release(&statement->few_below, WEFT_JOINPOINT_NARROW_MAX + 1);
	/*
	 * weft_record_few() stores eight bytes at the beginning of a record for arguments that the
	 * statement does not have. A tight record without any has only four.
	 */
	if (index <= WEFT_STATEMENT_TIGHT_MAX && statement->nr)
		smp_store_release(&statement->tight_below, WEFT_JOINPOINT_TIGHT_MAX + 1);
}

void notrace weft_record_many(u32 joinpoint, void *statement_, const u64 *arguments)
{
	struct weft_statement *statement = statement_;
	/* weft_aspect_register() has set ->private */
	struct wk_records *records = statement->aspect->private;
	struct wr_ring *ring;
	u64 time;

	preempt_disable_notrace();
	ring = this_cpu_ptr(records->rings);
	if (!wk_record_clock_short(&time))
		time = wk_record_clock_read();
	if (statement->kind == WK_ARGUMENTS_UNKNOWN)
		meet(records, statement);
	if (statement->kind == WK_ARGUMENTS_UNLISTED)
		wr_ring_lose(ring);
	else if (statement->kind == WK_ARGUMENTS_BINARY)
		record_binary(ring, joinpoint, statement, time, arguments);
	else if (joinpoint > WEFT_JOINPOINT_NARROW_MAX)
		record_wide(ring, joinpoint, statement, time, arguments);
	else
		record_narrow(ring, joinpoint, statement, time, arguments);
	preempt_enable_notrace();
}
EXPORT_SYMBOL_GPL(weft_record_many);

/*
 * Writes a record for which weft_record_few()'s short way is not enough: the statement's first one,
 * say, or one with another task than the record before. Then enables preemption, as
 * weft_record_few() would have done.
 */
static noinline void record_few_anew(u32 joinpoint, struct weft_statement *statement, u64 a, u64 b,
				     u64 c)
{
	const u64 arguments[] = { a, b, c };

	weft_record_many(joinpoint, statement, arguments + ARRAY_SIZE(arguments) - statement->nr);
	preempt_enable_notrace();
}

#ifdef CONFIG_PREEMPTION
static noinline void reschedule(void)
{
	preempt_disable_notrace();
	preempt_enable_notrace();
}
#endif

/*
 * As preempt_enable_notrace(), whose call in assembler would make the compiler set up a frame
 * pointer; here a C function is called.
 */
static __always_inline void enable_preemption(void)
{
#ifdef CONFIG_PREEMPTION
	barrier();
	if (unlikely(__preempt_count_dec_and_test()))
		reschedule();
#else
	preempt_enable_notrace();
#endif
}

/*
 * Writes a record with at most three arguments, the last ones of @a, @b and @c: a tight one, or a
 * narrow one. Calls no function, so that its callers save hardly any register. If it returns
 * something else than WR_RESERVED, it has written nothing. Preemption must be disabled.
 */
static __always_inline enum wr_reserved put_few(u32 joinpoint, struct weft_statement *statement,
						u64 a, u64 b, u64 c, bool is_tight)
{
	const unsigned char *places = is_tight ? statement->tight : statement->few;
	register u64 in_r10 asm("r10");
	enum wr_reserved reserved;
	struct wr_ring *ring;
	void *record;
	u64 time;
	u8 *at;

	if (is_tight && unlikely(joinpoint >= statement->tight_below))
		return WR_RESERVE_GAP;
	if (!is_tight && unlikely(joinpoint >= statement->few_below))
		return WR_RESERVE_BOTH;
	/* The other members are read after these two: meet() sets them last. */
	barrier();
	if (unlikely(!wk_record_clock_short(&time)))
		return WR_RESERVE_BOTH;
	/* Keeps the time in r10: the compiler would take @b's register, and have to move @b. */
	in_r10 = time;
	asm volatile("" : "+r"(in_r10));
	time = in_r10;
	ring = this_cpu_ptr((struct wr_ring __percpu *)(unsigned long)statement->rings);
	reserved = wr_ring_reserve_short(ring, is_tight ? &statement->tight_step : &statement->step,
					 is_tight ? WR_RING_TIGHT_BITS : WR_RING_GAP_BITS, owning,
					 time, &record);
	if (unlikely(reserved != WR_RESERVED))
		return reserved;
	/*
	 * Arguments that the statement does not have are stored where the head, and the arguments
	 * that it has, are stored next.
	 */
	at = record;
	*(u64 *)(at + places[0]) = a;
	*(u64 *)(at + places[1]) = b;
	if (statement->is_last_wide)
		*(u64 *)(at + places[2]) = c;
	else
		*(u32 *)(at + places[2]) = c;
	if (is_tight)
		fill_tight_head(record, statement, time, joinpoint);
	else
		fill_head(record, statement, time, joinpoint);
	wr_ring_commit(ring);
	return WR_RESERVED;
}

/*
 * Writes a narrow record where a tight one is too short: for a joinpoint with a large number, or
 * when the last record is long ago. Then enables preemption.
 */
static noinline void record_few_narrow(u32 joinpoint, struct weft_statement *statement, u64 a,
				       u64 b, u64 c)
{
	if (likely(put_few(joinpoint, statement, a, b, c, false) == WR_RESERVED))
		enable_preemption();
	else
		record_few_anew(joinpoint, statement, a, b, c);
}

/*
 * Writes a record with at most three arguments, the last ones of @a, @b and @c. Where a tight
 * record is not enough, ends in a jump to record_few_narrow() or record_few_anew(), and where it
 * has to reschedule, in one to reschedule().
 */
void notrace weft_record_few(u32 joinpoint, void *statement_, u64 a, u64 b, u64 c)
{
	struct weft_statement *statement = statement_;
	enum wr_reserved reserved;

	preempt_disable_notrace();
	reserved = put_few(joinpoint, statement, a, b, c, true);
	if (likely(reserved == WR_RESERVED))
		enable_preemption();
	else if (reserved == WR_RESERVE_GAP)
		record_few_narrow(joinpoint, statement, a, b, c);
	else
		record_few_anew(joinpoint, statement, a, b, c);
}
EXPORT_SYMBOL_GPL(weft_record_few);

/* vbin_printf() stores five numbers of one byte in two words of four bytes, or each in its own. */
u32 wk_record_packed(void)
{
	u32 words[8];

	int n = print_binary(words, ARRAY_SIZE(words), "%hhd%hhd%hhd%hhd%hhd", 1, 2, 3, 4, 5);

	return n > 2 ? WEFT_PACKED_WIDE : 0;
}
