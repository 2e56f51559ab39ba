/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interface for authors of advice (weft_*), and what generated aspect modules are made of
 * (WEFT_*, wr_*).
 *
 * Advice runs in the context of the joinpoint, with preemption off: possibly in an interrupt or
 * with locks held. It must not sleep. It may call whatever a kprobe handler may call. Around-advice
 * is different: it runs with preemption as it is, and may sleep where the function may (around.h).
 * If a joinpoint is reached while advice runs in the same context on the same CPU, its advice does
 * not run; the execution is counted as missed.
 *
 * In an advice body:
 *   weft_log(format, ...)		writes a record. The format is printk()'s, with most of its
 *					pointer extensions (%ps, %pI4). The data that a pointer
 *					argument points to is copied at once; if it cannot be
 *					read, the text has "(efault)" instead
 *   weft_unit(value, unit)		in weft_log(): the value; readers of the record also get
 *					its unit, such as "B" or "ns"
 *   weft_peek(pointer, fallback)	*pointer, or fallback if it cannot be read
 *   weft_read(to, from, size)		copies from any kernel address. 0, or -EFAULT
 *   weft_read_string(to, size, from)	copies a NUL-terminated string from any kernel address, and
 *					always terminates @to. 0, or -EFAULT
 *   weft_read_user(to, from, size)	copies from the current process's memory; does not fault
 *					pages in. 0, or -EFAULT
 *   weft_peek_user(pointer, fallback)	*pointer of the current process's memory, read as
 *					weft_read_user() does, or fallback
 *   weft_str(pointer)			a string of the current process's memory, read as
 *					weft_read_user() does: at most 127 bytes, or
 *					"(not in memory)"
 *   weft_now()				nanoseconds of CLOCK_MONOTONIC; usable in every context
 *   weft_tagged(NAME, object)		whether the object carries the tag NAME (tag-advice.h)
 */
#ifndef WEFT_ADVICE_H
#define WEFT_ADVICE_H

#include <linux/bug.h>

/*
 * In an aspect, a BUG() ends the advice at that hit (kmod/fault.h).
 * This form of BUG() has no entry in the kernel's table of bugs, so the kernel does not print it as
 * one of its own bugs before weft.ko is asked.
 */
#undef BUG
#define BUG() __builtin_trap()

#include <linux/cred.h>
#include <linux/elfnote.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>

#include "abi.h"
#include "code-tables.h"
#include "execution.h"
#include "frame.h"
#include "module-note.h"
#include "task-table.h"

/* ---- the data that weft.ko hands to advice --------------------------------------------------- */

/* One advice at one shadow. Owned by weft.ko, constant while woven. */
struct weft_shadow {
	unsigned long address; /* live address */
	const struct weft_joinpoint *joinpoint;
	u32 index; /* of the joinpoint, in the aspect's table; WEFT_JOINPOINT_* */
	struct wr_target target; /* of the live instruction */
	u8 *once; /* enum weft_once; NULL where the advice runs each time */
};

/*
 * The data from which the variables of an advice body are computed; named `weft` in generated code.
 */
struct weft_hit {
	const struct weft_frame *frame;
	const struct weft_shadow *shadow;
};

struct weft_stats {
	unsigned long hits, missed;
	unsigned long dropped; /* executions that found no room for the state of their task */
	unsigned long no_stack; /* of @missed: those that found too little of the stack left */
	/*
	 * executions of around-advice that have begun, which are hits, too, but not in @hits; and
	 * those that have ended. A task may begin on one CPU and end on another, so only the sums
	 * over all CPUs mean something
	 */
	unsigned long begun, ended;
};

/*
 * An advice's entry, which trampolines call. @frame is valid only if the advice needs registers or
 * the flags from it (weft_advice.needs).
 */
typedef void (*weft_entry)(struct weft_frame *frame, const struct weft_shadow *shadow);

/* Around-advice at one joinpoint: around.h has the code. */
struct weft_around {
	/*
	 * where the trampoline jumps instead of running the function at the joinpoint, or the
	 * function that is called there: a function that takes the same arguments from the same
	 * registers, and returns its result likewise
	 */
	unsigned long entry;
	u32 joinpoint; /* index into the table of joinpoints */
	/*
	 * enum wr_register of the argument, after those of the function that is called, in which
	 * the entry gets the call's target; WR_NONE: it gets no such argument
	 */
	u8 target;
	/* set by weft.ko before the first hit of a weave */
	const struct weft_shadow *shadow;
	u8 arguments; /* how many arguments, with the call's target, the entry takes */
	/*
	 * live address of a function that takes the same arguments: it runs in place of the rest of
	 * an execution whose advice has faulted before it has called the original function; 0: that
	 * function itself does
	 */
	unsigned long rest;
	/* where the struct wr_execution is on the stack: in a task; and in other contexts */
	const struct wr_location *locations[2];
	/*
	 * live address that is called to run the function without this advice. weft.ko changes it
	 * when other aspects are woven at the same place, and when this one is unwoven
	 */
	unsigned long original;
};

struct weft_advice {
	/*
	 * NULL: trampolines only count the executions, because the body is empty or is an inline
	 * counter; or it is around-advice
	 */
	weft_entry entry;
	/* what the body reads: WR_BIT()s of registers, WR_FLAGS, WR_TARGET and WR_CALLERS */
	u32 needs;
	/* true: the advice runs once at each shadow, and its splice is then removed there */
	bool once;
	/*
	 * for an advice without an entry: the inline counter (kmod/metrics/counts.h) in which
	 * trampolines count its executions; NULL: they count them in the aspect's stats
	 */
	u64 __percpu *const *count;
	/* Nanoseconds from the beginning of the aspect's time; stop_after 0: it never stops. */
	u64 start_after, stop_after;
	u32 metric; /* number of the metric that the advice implements, from 1; 0: none */
	bool ends;  /* true: the advice implements the end of a pair */
	/* Where the body begins in the author's XML. file NULL: the advice has no function. */
	const char *file;
	u32 line;
};

struct weft_metric;
struct weft_tag;

/* struct weft_filter in the form that is tested at a hit. */
struct wr_filter {
	u32 pid; /* the hit must be in the process with this id (tgid); 0: in any process */
	bool below; /* true: the hit must be in a descendant of that process instead */
	bool has_uid, has_comm;
	u32 uid;
	char comm[TASK_COMM_LEN];
};

/* The clock that measures from a start to its end (measure.h). */
struct wr_clock {
	u64 mult; /* nanoseconds per count of the clock * 2^32 */
	/*
	 * true: the clock counts TSC cycles; false: nanoseconds, since the TSC is missing or
	 * unstable, or its frequency is not known
	 */
	bool counter;
};

/*
 * The object that an aspect module registers. weft.ko keeps the pointer until the module
 * unregisters.
 */
struct weft_aspect {
	const struct weft_aspect_header *header;
	const struct weft_text_part *parts; /* header->nr_parts elements */
	const struct weft_joinpoint *joinpoints; /* header->nr_joinpoints elements */
	const char *strings;
	u32 strings_size;
	const struct weft_advice *advices; /* header->nr_advices elements */
	/* one for each joinpoint of around-advice, ascending by joinpoint */
	struct weft_around *arounds;
	u32 nr_arounds;
	struct weft_stats __percpu *stats;
	const struct weft_metric *metrics;
	u32 nr_metrics;
	/*
	 * Called before the first hit of a weave. If it does not return 0, the weave fails. NULL:
	 * there is no start block.
	 */
	int (*start)(void);
	/*
	 * Called after the last hit, or if the weave failed after start(). NULL: there is no end
	 * block.
	 */
	void (*end)(void);
	/* tables that are made after compilation: code-tables.h */
	const struct weft_line *lines;
	const struct weft_leavable *leavable;
	/*
	 * size of the table of tasks' states (runtime/task-table.h); task_size 0: there is no table
	 */
	u32 task_bits, task_size;
	const struct weft_tag *tags; /* tag-advice.h; nr_tags elements */
	u32 nr_tags;
	struct wr_clock clock;	  /* set by weft.ko */
	struct wr_tasks tasks;	  /* set by weft.ko */
	struct wr_filter filter;  /* set by weft.ko for each weave */
	/* set by weft.ko when every splice is in the text; cleared before the aspect is unwoven */
	bool armed;
	/*
	 * true: objects get tags and carry them. As .armed, but not before the start time of the
	 * weave, nor after a module was loaded where `until` is not spliced (kmod/tags.h)
	 */
	bool tagging;
	struct module *module;
	const char *file;	  /* the author's XML, without its folder */
	void *private; /* used by weft.ko only */
};

/* ---- functions of weft.ko, with simple types only, because genksyms fails on rich ones ------- */

int weft_aspect_register(void *aspect);
void weft_aspect_unregister(void *aspect);
void weft_record_few(u32 joinpoint, void *statement, u64 a, u64 b, u64 c);
void weft_record_many(u32 joinpoint, void *statement, const u64 *arguments);
unsigned long weft_stack_left(void);
/*
 * Stores the call stack of the joinpoint in @words: at most WR_STACK_WORDS return addresses, the
 * innermost first; if there are fewer, a 0 follows. The first is in the joinpoint's function.
 * Returns their hash (wr_stack_mix()). @frame: the hit's; its advice needs WR_CALLERS and a
 * register.
 */
u64 weft_stack(u64 *words, const struct weft_frame *frame);
/* Returns the same hash, in fewer instructions. */
u64 weft_stack_hash(const struct weft_frame *frame);
long weft_read(void *to, const void *from, unsigned long size);
long weft_read_string(char *to, unsigned long size, const void *from);
long weft_read_user(void *to, const void __user *from, unsigned long size);
const char *weft_read_user_string(char *to, unsigned long size, const void __user *from);

/* The nesting guard of a CPU (trampoline.h). */
DECLARE_PER_CPU(long, wk_guard);

/*
 * Called where advice switches interrupts off: notes in the nesting guard (a per-CPU variable of
 * weft.ko), and for around-advice in the task (execution.h), that they were on before. If a fault
 * ends the advice before it switches them on again, weft.ko does so. @flags: what local_irq_save()
 * returns.
 */
static __always_inline void wr_note_interrupts(unsigned long flags)
{
	if (arch_irqs_disabled_flags(flags))
		return;
	this_cpu_or(wk_guard, (long)WR_GUARD_INTERRUPTS);
#ifdef CONFIG_TRACING /* the aspect may have around-advice */
	wr_around_bits |= WR_INTERRUPTS_OF(wr_around_bits & WR_AROUND_BITS);
#endif
}

/*
 * The kernel builds local_irq_save() and similar functions on these macros. Here they are defined
 * anew: they do the same and also call wr_note_interrupts().
 */
#undef raw_local_irq_save
#define raw_local_irq_save(flags)             \
	do {                                  \
		(flags) = arch_local_save_flags(); \
		wr_note_interrupts(flags);    \
		arch_local_irq_disable();     \
	} while (0)
#undef raw_local_irq_disable
#define raw_local_irq_disable()                              \
	do {                                                 \
		wr_note_interrupts(arch_local_save_flags()); \
		arch_local_irq_disable();                    \
	} while (0)
#undef raw_spin_lock_irqsave
#define raw_spin_lock_irqsave(lock, flags)            \
	do {                                          \
		typecheck(unsigned long, flags);      \
		wr_note_interrupts(arch_local_save_flags()); \
		flags = _raw_spin_lock_irqsave(lock); \
	} while (0)

#include "measure.h"
#include "log.h"

/* ---- what authors use ------------------------------------------------------------------------ */

/*
 * The value *@pointer; if it cannot be read, @fallback. The inner statement expression drops a
 * const qualifier from the type.
 */
#define weft_peek(pointer, fallback)                                                   \
	({                                                                             \
		typeof(({ *(pointer); })) weft_peeked;                                 \
		weft_read(&weft_peeked, (pointer), sizeof(weft_peeked)) ? (fallback)   \
									: weft_peeked; \
	})

/* As weft_peek(), of the current process's memory; does not fault pages in. */
#define weft_peek_user(pointer, fallback)                                                      \
	({                                                                                     \
		typeof(({ *(pointer); })) weft_peeked;                                         \
		weft_read_user(&weft_peeked, (const void __user *)(unsigned long)(pointer),    \
			       sizeof(weft_peeked)) ? (fallback) : weft_peeked;                \
	})

/*
 * A string of the current process. It is stored on the advice's stack, and lasts as long as the C
 * block that contains weft_str().
 */
#define WEFT_STR_SIZE 128
#define weft_str(pointer)                                                     \
	weft_read_user_string((char[WEFT_STR_SIZE]){ 0 }, WEFT_STR_SIZE,      \
			      (const void __user *)(unsigned long)(pointer))

#define weft_now() ktime_get_mono_fast_ns()

/*
 * What advice does before a macro or a guard makes it return early: nothing. Around-advice defines
 * this macro anew, since it must run the function that it stands for (around.h).
 */
#define WR_PASS

/* Leaves the advice if the condition is false: the implementation of condition="...". */
#define weft_when(...)                \
	do {                          \
		if (!(__VA_ARGS__)) { \
			WR_PASS;      \
			return;       \
		}                     \
	} while (0);

/*
 * The implementation of once="yes" together with condition="...". Returns from the advice if the
 * condition is false, as weft_when() does, or if the advice has run at this shadow before.
 */
#define weft_first(...)                                 \
	do {                                            \
		if (!(__VA_ARGS__) || !wr_first(weft))  \
			return;                         \
	} while (0);

/*
 * Does the current task's comm equal the string literal @name? Compiles to a comparison of one or
 * two words.
 */
#define wr_is_comm(name)                                                             \
	(BUILD_BUG_ON_ZERO(sizeof(name) > TASK_COMM_LEN) +                           \
	 !__builtin_memcmp(current->comm, name, sizeof(name)))

/* Limit of the walk over a process's ancestors: the time spent at a hit must be bounded. */
#define WR_ANCESTORS 32

/*
 * Returns whether the current process is a descendant of process @pid. Needs no RCU read lock:
 * preemption is off meanwhile, so no task_struct is freed.
 */
WR_RARE bool wr_is_below(u32 pid)
{
	const struct task_struct *task;
	bool below = false;

	preempt_disable_notrace(); /* around-advice runs with preemption on */
	task = rcu_dereference_raw(current->real_parent);
	for (int i = 0; i < WR_ANCESTORS && task->tgid > 1 && !below;
	     i++, task = rcu_dereference_raw(task->real_parent))
		below = task->tgid == pid;
	preempt_enable_notrace();
	return below;
}

static __always_inline bool wr_is_wanted_process(const struct wr_filter *filter)
{
	u32 pid = READ_ONCE(filter->pid);

	if (!pid)
		return true;
	return likely(!READ_ONCE(filter->below)) ? current->tgid == pid : wr_is_below(pid);
}

static __always_inline bool wr_is_wanted_name(const struct wr_filter *filter)
{
	if (unlikely(READ_ONCE(filter->has_uid)) && __kuid_val(current_uid()) != filter->uid)
		return false;
	return likely(!READ_ONCE(filter->has_comm)) ||
	       !strncmp(current->comm, filter->comm, TASK_COMM_LEN);
}

/* ---- what generated code uses ---------------------------------------------------------------- */

static __always_inline unsigned long wr_reg(const struct weft_hit *weft, enum wr_register reg)
{
	return weft->frame->reg[reg];
}

/*
 * Returns true exactly once for each shadow, at the first execution there, on whichever CPU and in
 * whichever context that is. It leaves the state WEFT_ONCE_HIT, by which weft.ko finds the shadow
 * and removes its splice.
 */
static __always_inline bool wr_first(const struct weft_hit *weft)
{
	u8 *once = weft->shadow->once;

	return READ_ONCE(*once) == WEFT_ONCE_WAITING &&
	       cmpxchg(once, WEFT_ONCE_WAITING, WEFT_ONCE_HIT) == WEFT_ONCE_WAITING;
}

/* The live address that is @offset bytes after the start of the shadow's part. */
static __always_inline unsigned long wr_live(const struct weft_hit *weft, unsigned long offset)
{
	return weft->shadow->address - weft->shadow->joinpoint->text_offset + offset;
}

static __always_inline u32 wr_joinpoint(const struct weft_hit *weft,
					const struct weft_joinpoint *joinpoints)
{
	return weft->shadow->joinpoint - joinpoints;
}

/*
 * Reads @size bytes (at most 8) of kernel memory as an unsigned number; 0 if they cannot be read.
 */
static __always_inline unsigned long wr_load(unsigned long address, unsigned int size)
{
	unsigned long value = 0;

	return weft_read(&value, (const void *)address, size) ? 0 : value;
}

/* As wr_load(), of the current process's memory. */
static __always_inline unsigned long wr_load_user(unsigned long address, unsigned int size)
{
	unsigned long value = 0;

	return weft_read_user(&value, (const void __user *)address, size) ? 0 : value;
}

/* Returns the @n bits of @value from bit @from on. */
static __always_inline unsigned long wr_bits(unsigned long value, unsigned int from, unsigned int n)
{
	return value << (BITS_PER_LONG - from - n) >> (BITS_PER_LONG - n);
}

static __always_inline unsigned long wr_signed_bits(unsigned long value, unsigned int from,
						    unsigned int n)
{
	return (long)(value << (BITS_PER_LONG - from - n)) >> (BITS_PER_LONG - n);
}

/*
 * The address that the call at this shadow is about to go to. NULL: the shadow is no call, or the
 * address is in memory that cannot be read. The trampoline has stored every register that is needed
 * here.
 */
static __always_inline void *wr_call_target(const struct weft_hit *weft)
{
	const struct wr_target *target = &weft->shadow->target;
	unsigned long value = target->value;

	if (target->kind == WR_TARGET_REGISTER)
		return (void *)wr_reg(weft, target->base);
	if (target->kind != WR_TARGET_MEMORY)
		return (void *)value;
	if (target->base != WR_NONE)
		value += wr_reg(weft, target->base);
	if (target->index != WR_NONE)
		value += wr_reg(weft, target->index) * target->scale;
	return weft_peek((void **)value, NULL);
}

/*
 * The function that a trampoline calls for advice @index. The trampoline itself disables
 * preemption, guards against advice in advice and counts (trampoline.h). The body is inlined, so a
 * body that names two registers costs two loads. notrace keeps ftrace's call out of every hit.
 */
#define WEFT_ENTRY(index) WEFT_ENTRY_AS(index, )
/*
 * WEFT_ENTRY() for the advice of a metric that contains no C of the author's. It needs no stack
 * protector: nothing in it can write past the end of an array.
 */
#define WEFT_METRIC_ENTRY(index) WEFT_ENTRY_AS(index, WR_NO_STACK_PROTECTOR)
#if __has_attribute(__no_stack_protector__)
#define WR_NO_STACK_PROTECTOR __attribute__((__no_stack_protector__))
#else
#define WR_NO_STACK_PROTECTOR
#endif
#define WEFT_ENTRY_AS(index, attribute)                                                          \
	static void notrace attribute weft_entry_##index(struct weft_frame *frame,               \
							 const struct weft_shadow *shadow)       \
	{                                                                                        \
		const struct weft_hit weft = { .frame = frame, .shadow = shadow };               \
                                                                                                 \
		weft_body_##index(&weft);                                                        \
	}

/*
 * As WEFT_ENTRY(), for advice that may use much stack, @size bytes. If less than that is left, the
 * execution is a miss; the trampoline has already counted it as a hit. WR_STACK_RESERVE: bytes that
 * have to be left beyond @size, for functions that advice calls, the handlers of its faults, and
 * the entry of an interrupt.
 */
#define WR_STACK_RESERVE 2048
#define WEFT_DEEP_ENTRY(index, size)                                                             \
	static noinline void notrace weft_deep_##index(struct weft_frame *frame,                 \
						       const struct weft_shadow *shadow)         \
	{                                                                                        \
		const struct weft_hit weft = { .frame = frame, .shadow = shadow };               \
                                                                                                 \
		weft_body_##index(&weft);                                                        \
	}                                                                                        \
	static void notrace weft_entry_##index(struct weft_frame *frame,                         \
					       const struct weft_shadow *shadow)                 \
	{                                                                                        \
		if (likely(weft_stack_left() >= (size) + WR_STACK_RESERVE)) {                    \
			weft_deep_##index(frame, shadow);                                        \
			return;                                                                  \
		}                                                                                \
		this_cpu_dec(weft_aspect_stats.hits);                                            \
		this_cpu_inc(weft_aspect_stats.missed);                                          \
		this_cpu_inc(weft_aspect_stats.no_stack);                                        \
	}

/*
 * Functions that find the memory which an aspect keeps for the current task, a struct weft_task. In
 * the body of an advice, $task(name) is a member of it. The first $task() that is executed in a
 * task takes a slot of the table for the task. If the table has no room, the advice returns there.
 */
#define WEFT_TASKS(bits)                                                                     \
	static __always_inline struct weft_task *weft_task_find(void)                        \
	{                                                                                    \
		return wr_task_data(                                                         \
			&weft_aspect.tasks,                                                  \
			wr_task_find(&weft_aspect.tasks, bits, (unsigned long)current),      \
			sizeof(struct weft_task));                                           \
	}                                                                                    \
	static __always_inline struct weft_task *weft_task_claim(void)                       \
	{                                                                                    \
		long slot = wr_task_claim(&weft_aspect.tasks, bits, (unsigned long)current); \
                                                                                             \
		if (unlikely(slot < 0))                                                      \
			this_cpu_inc(weft_aspect_stats.dropped);                             \
		return wr_task_data(&weft_aspect.tasks, slot, sizeof(struct weft_task));     \
	}

/*
 * Flows (<cflow>): advice may ask whether a function is being executed around it. So for each such
 * function, the number of its executions that have begun and not ended is counted, for each task
 * and context. Contexts are counted apart, because a function that an interrupt calls is not called
 * by the function that was interrupted. An execution that begins before all exits of the function
 * are spliced is not counted. Its exit does no harm either, since a count never drops below 0.
 */
#define WEFT_CONTEXTS 4

/*
 * Returns the number of the current context: 0 for a task, which is the usual case; 1 softirq; 2
 * interrupt; 3 NMI.
 */
static __always_inline u32 wr_context(void)
{
	return likely(!(preempt_count() & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET)))
		       ? 0
		       : interrupt_context_level();
}

#define weft_enter_flow(flow)                                                                     \
	do {                                                                                      \
		struct weft_task *task = READ_ONCE(weft_aspect.armed) ? weft_task_claim() : NULL; \
                                                                                                  \
		if (task)                                                                         \
			task->weft_flows[flow][wr_context()]++;                                   \
	} while (0)

#define weft_leave_flow(flow)                                                     \
	do {                                                                      \
		struct weft_task *task = weft_task_find();                        \
		u32 *depth = task ? &task->weft_flows[flow][wr_context()] : NULL; \
                                                                                  \
		if (depth && *depth)                                              \
			--*depth;                                                 \
	} while (0)

#define weft_in_flow(flow)                                       \
	({                                                       \
		const struct weft_task *task = weft_task_find(); \
                                                                 \
		task && task->weft_flows[flow][wr_context()];    \
	})

#define $task(name)                                  \
	(*({                                         \
		if (!weft_task)                      \
			weft_task = weft_task_claim(); \
		if (unlikely(!weft_task)) {          \
			WR_PASS;                     \
			return;                      \
		}                                    \
		&weft_task->name;                    \
	}))

/*
 * The function that weft.ko calls for a start or end block, whose body is named weft_NAME_body. Its
 * records have a joinpoint number outside the table: WEFT_JOINPOINT_START is the element before the
 * first, WEFT_JOINPOINT_END the one before that.
 */
#define WEFT_BLOCK(type, name, index_)                                                            \
	static type weft_##name(void)                                                             \
	{                                                                                         \
		const struct weft_shadow shadow = {                                               \
			.index = (u32)(index_),                                                   \
			.joinpoint = (const void *)((unsigned long)weft_joinpoints +              \
						    (s32)(index_) *                               \
							    (long)sizeof(struct weft_joinpoint)), \
		};                                                                                \
		const struct weft_hit weft = { .shadow = &shadow };                               \
                                                                                                  \
		return weft_##name##_body(&weft);                                                 \
	}

/*
 * The first and the last declarations of a generated module; the last one takes further
 * initializers of struct weft_aspect.
 */
#define WEFT_ASPECT_BEGIN                                                        \
	static DEFINE_PER_CPU(struct weft_stats, weft_aspect_stats);             \
	static struct weft_aspect weft_aspect;

#define WEFT_ASPECT_END(name_, ...)                                                              \
	/* The weaver replaces both sections: they then have more elements. */                   \
	static const struct weft_line weft_lines[1] __section(WEFT_SECTION_LINES);               \
	static const struct weft_leavable weft_leavable[1] __section(WEFT_SECTION_LEAVABLE);     \
	static struct weft_aspect weft_aspect = {                                                \
		.header = &weft_aspect_header,                                                   \
		.parts = weft_parts,                                                             \
		.joinpoints = weft_joinpoints,                                                   \
		.strings = weft_strings,                                                         \
		.strings_size = sizeof(weft_strings),                                            \
		.advices = weft_advices,                                                         \
		.stats = &weft_aspect_stats,                                                     \
		.lines = weft_lines,                                                             \
		.leavable = weft_leavable,                                                       \
		.module = THIS_MODULE,                                                           \
		__VA_ARGS__                                                                      \
	};                                                                                       \
	static int __init weft_aspect_init(void)                                                 \
	{                                                                                        \
		return weft_aspect_register(&weft_aspect);                                       \
	}                                                                                        \
	static void __exit weft_aspect_exit(void)                                                \
	{                                                                                        \
		weft_aspect_unregister(&weft_aspect);                                            \
	}                                                                                        \
	module_init(weft_aspect_init);                                                           \
	module_exit(weft_aspect_exit);                                                           \
	MODULE_LICENSE("GPL");                                                                   \
	MODULE_DESCRIPTION("weft aspect " name_)

#endif /* WEFT_ADVICE_H */
