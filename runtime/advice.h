/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an aspect author may call (weft_*), and what the aspect compiler's output is made of
 * (WEFT_*, wr_*).
 *
 * Advice runs in the context of the joinpoint, with preemption off: it may be in an interrupt, with
 * locks held. It must not sleep. It may call whatever a kprobe handler may call. A joinpoint that
 * is reached while advice runs in the same context on the same CPU does not run its advice; it is
 * counted as missed.
 *
 * In an advice body:
 *   weft_log(format, ...)		a record with the text; formats as printk's, kernel pointer
 *					formats (%ps) included.
 *					What a %s points to is read at once; where that faults, the
 *					text says "(efault)"
 *   weft_unit(value, unit)		in weft_log(): the value, and "B" or "ns" or so for whoever
 *					reads it
 *   weft_peek(pointer, fallback)	*pointer, or fallback where that faults
 *   weft_read(to, from, size)		0, or -EFAULT; @from is a kernel address that may be
 *					anything
 *   weft_read_string(to, size, from)	the same for a NUL-terminated string; always terminates
 *   weft_read_user(to, from, size)	the same for the current process's memory; does not fault
 *					pages in
 *   weft_now()				nanoseconds, CLOCK_MONOTONIC, usable in every context
 */
#ifndef WEFT_ADVICE_H
#define WEFT_ADVICE_H

#include <linux/cred.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>

#include "abi.h"
#include "frame.h"
#include "task-table.h"

/* ---- what weft.ko hands to advice ------------------------------------------------------------ */

/* How to find a call's target at a shadow; decoded by weft.ko from the live instruction. */
enum wr_target_kind {
	WR_TARGET_NONE, /* the instruction is no call and no function's entry */
	WR_TARGET_FIXED, /* .value is the address */
	WR_TARGET_REGISTER, /* in register .base */
	WR_TARGET_MEMORY, /* at base + index * scale + value */
};

struct wr_target {
	u8 kind; /* enum wr_target_kind */
	u8 base, index; /* enum wr_register or WR_NONE */
	u8 scale;
	long value;
};

/* One advice call at one shadow. Constant while woven. */
struct weft_shadow {
	unsigned long address; /* live */
	const struct weft_joinpoint *joinpoint;
	struct wr_target target;
	u8 *once; /* enum weft_once; NULL where the advice runs each time */
};

/*
 * The variables of advice are made of these two; generated code passes them on under the name
 * `weft`.
 */
struct weft_hit {
	struct weft_frame *frame;
	const struct weft_shadow *shadow;
};

struct weft_stats {
	unsigned long hits, missed;
	unsigned long dropped; /* found no room for what they were to remember of the task */
};

/* @frame is valid only for an advice that needs something of it. */
typedef void (*weft_entry)(struct weft_frame *frame, const struct weft_shadow *shadow);

struct weft_advice {
	weft_entry entry; /* NULL: the body is empty, executions are counted and that is all */
	u32 needs; /* what the body names: WR_BIT()s of registers, WR_FLAGS and WR_TARGET */
	bool once; /* it runs at each shadow once, and is taken out there */
	/*
	 * where executions are counted, of a counter without an entry; NULL: in the aspect's stats
	 */
	u64 __percpu *const *count;
	/* nanoseconds from the aspect's beginning; stop_after 0: none */
	u64 start_after, stop_after;
	u32 metric; /* which metric it is, counted from 1; 0: none */
	bool ends;  /* the second of a pair */
};

struct weft_metric;

/* struct weft_filter, as a hit asks it. */
struct wr_filter {
	u32 pid; /* 0: anybody's */
	bool below; /* what that process started */
	bool has_uid, has_comm;
	u32 uid;
	char comm[TASK_COMM_LEN];
};

/* The clock of starts and ends: measure.h. */
struct wr_clock {
	u64 mult; /* nanoseconds of a unit * 2^32 */
	bool counter; /* the processor's own, unless the kernel holds that to be unreliable */
};

/* What an aspect module registers. weft.ko keeps the pointer until the module unregisters. */
struct weft_aspect {
	const struct weft_aspect_header *header;
	const struct weft_joinpoint *joinpoints; /* header->nr_joinpoints */
	const char *strings;
	u32 strings_size;
	const struct weft_advice *advices; /* header->nr_advices */
	struct weft_stats __percpu *stats;
	const struct weft_metric *metrics;
	u32 nr_metrics;
	/* before the first hit of a weave; not 0: it is not woven. NULL: nothing to do */
	int (*start)(void);
	/* behind the last hit, or where a started weave failed; NULL likewise */
	void (*end)(void);
	/* of what advice keeps of each task: runtime/task-table.h; size 0: nothing */
	u32 task_bits, task_size;
	struct wr_clock clock;	  /* weft.ko's */
	struct wr_tasks tasks;	  /* likewise */
	struct wr_filter filter;  /* likewise, of this weave */
	bool armed;		  /* likewise: every splice is in the text */
	struct module *module;
	void *private; /* weft.ko's */
};

/* ---- weft.ko's exports: scalars and opaque pointers only (genksyms explodes on rich types) --- */

int weft_aspect_register(void *aspect);
void weft_aspect_unregister(void *aspect);
void weft_record(void *aspect, const void *shadow, void *statement, const char *format, ...)
	__printf(4, 5);
long weft_read(void *to, const void *from, unsigned long size);
long weft_read_string(char *to, unsigned long size, const void *from);
long weft_read_user(void *to, const void __user *from, unsigned long size);

#include "measure.h"

/* ---- for authors ----------------------------------------------------------------------------- */

/* One weft_log(). Readers get the values' names, which are what the author wrote. */
struct weft_statement {
	unsigned char kind; /* what weft.ko has found out about the format at the first record */
	const char *format, *values;
};

/*
 * The text is made when the record is read, so the format must be a literal: "" in front sees to
 * it.
 */
#define weft_log(format_, ...)                                                       \
	({                                                                           \
		static struct weft_statement weft_statement = {                      \
			.format = "" format_,                                        \
			.values = #__VA_ARGS__,                                      \
		};                                                                   \
		weft_record(&weft_aspect, weft->shadow, &weft_statement, "" format_, \
			    ##__VA_ARGS__);                                          \
	})

/* Inside weft_log(): the value, whose unit readers are told. */
#define weft_unit(value, unit) (value)

/* The inner brackets make a value of what may be const. */
#define weft_peek(pointer, fallback)                                                   \
	({                                                                             \
		typeof(({ *(pointer); })) weft_peeked;                                 \
		weft_read(&weft_peeked, (pointer), sizeof(weft_peeked)) ? (fallback)   \
									: weft_peeked; \
	})

#define weft_now() ktime_get_mono_fast_ns()

/* Leaves the advice where the condition does not hold: what condition="..." becomes. */
#define weft_when(...)              \
	do {                        \
		if (!(__VA_ARGS__)) \
			return;     \
	} while (0);

/* The same, and leaves it where it has run once: what once="yes" with a condition becomes. */
#define weft_first(...)                                 \
	do {                                            \
		if (!(__VA_ARGS__) || !wr_first(weft))  \
			return;                         \
	} while (0);

/* Whether the current task's comm is that string literal: a comparison of a word or two. */
#define wr_is_comm(name)                                                             \
	(BUILD_BUG_ON_ZERO(sizeof(name) > TASK_COMM_LEN) +                           \
	 !__builtin_memcmp(current->comm, name, sizeof(name)))

/*
 * The ancestors of a process whose parents are all there are few; a chain is not followed without
 * bound.
 */
#define WR_ANCESTORS 32

/* Nobody frees a task while preemption is off. */
WR_RARE bool wr_is_below(u32 pid)
{
	const struct task_struct *task = rcu_dereference_raw(current->real_parent);

	for (int i = 0; i < WR_ANCESTORS && task->tgid > 1;
	     i++, task = rcu_dereference_raw(task->real_parent))
		if (task->tgid == pid)
			return true;
	return false;
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

/* ---- for generated code ---------------------------------------------------------------------- */

static __always_inline unsigned long wr_reg(const struct weft_hit *weft, enum wr_register reg)
{
	return weft->frame->reg[reg];
}

/*
 * Is this the first execution here? True once, on whichever CPUs and in whichever contexts it is
 * asked; weft.ko looks for what is hit.
 */
static __always_inline bool wr_first(const struct weft_hit *weft)
{
	u8 *once = weft->shadow->once;

	return READ_ONCE(*once) == WEFT_ONCE_WAITING &&
	       cmpxchg(once, WEFT_ONCE_WAITING, WEFT_ONCE_HIT) == WEFT_ONCE_WAITING;
}

/* The live address of what the image has @offset bytes behind _text. */
static __always_inline unsigned long wr_live(const struct weft_hit *weft, unsigned long offset)
{
	return weft->shadow->address - weft->shadow->joinpoint->text_offset + offset;
}

static __always_inline u32 wr_joinpoint(const struct weft_hit *weft,
					const struct weft_joinpoint *joinpoints)
{
	return weft->shadow->joinpoint - joinpoints;
}

/* @size bytes (at most 8) of kernel memory as an unsigned number; 0 where they cannot be read. */
static __always_inline unsigned long wr_load(unsigned long address, unsigned int size)
{
	unsigned long value = 0;

	return weft_read(&value, (const void *)address, size) ? 0 : value;
}

/* @n bits of @value, from bit @from on. */
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
 * The address a call at this shadow is about to go to, or NULL. The trampoline stored every
 * register it may need.
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
 * The function a trampoline calls for advice @index. Preemption, the guard against advice in advice
 * and the counters are in the trampoline (trampoline.h). The body is inlined, so one that names two
 * registers pays for two loads. notrace keeps ftrace's call out of every hit.
 */
#define WEFT_ENTRY(index)                                                                        \
	static void notrace weft_entry_##index(struct weft_frame *frame,                         \
					       const struct weft_shadow *shadow)                 \
	{                                                                                        \
		const struct weft_hit weft = { .frame = frame, .shadow = shadow };               \
                                                                                                 \
		weft_body_##index(&weft);                                                        \
	}

/*
 * What advice keeps of the current task, a struct weft_task. In a body $task(name) is a member of
 * it; the task gets its place in the table with the first that is executed, and where there is
 * none, the advice ends there.
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
 * The functions whose being active is asked for (<cflow>): how often each is, in this task, in this
 * context: what an interrupt calls is not called by the function that it interrupted. A function
 * that was active before the last of its exits was spliced is not counted when it is entered, nor,
 * since nothing is below 0, when it is left.
 */
#define WEFT_CONTEXTS 4

/* Mostly it is the task's own. */
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
		if (unlikely(!weft_task))            \
			return;                      \
		&weft_task->name;                    \
	}))

/*
 * What weft.ko calls for a start or end block, whose body has the name weft_NAME_body. Its records
 * say an index that the table has not: WEFT_JOINPOINT_START is the one before the first,
 * WEFT_JOINPOINT_END the one before that.
 */
#define WEFT_BLOCK(type, name, index)                                                             \
	static type weft_##name(void)                                                             \
	{                                                                                         \
		const struct weft_shadow shadow = {                                               \
			.joinpoint = (const void *)((unsigned long)weft_joinpoints +              \
						    (s32)(index) *                                \
							    (long)sizeof(struct weft_joinpoint)), \
		};                                                                                \
		const struct weft_hit weft = { .shadow = &shadow };                               \
                                                                                                  \
		return weft_##name##_body(&weft);                                                 \
	}

/*
 * What a generated module declares first and last; at the end it adds what else it has to register.
 */
#define WEFT_ASPECT_BEGIN                                                        \
	static DEFINE_PER_CPU(struct weft_stats, weft_aspect_stats);             \
	static struct weft_aspect weft_aspect;

#define WEFT_ASPECT_END(name_, ...)                                                              \
	static struct weft_aspect weft_aspect = {                                                \
		.header = &weft_aspect_header,                                                   \
		.joinpoints = weft_joinpoints,                                                   \
		.strings = weft_strings,                                                         \
		.strings_size = sizeof(weft_strings),                                            \
		.advices = weft_advices,                                                         \
		.stats = &weft_aspect_stats,                                                     \
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
