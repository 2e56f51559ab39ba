/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Around-advice, in generated aspect modules: advice that runs instead of a function of the kernel,
 * which it may call; or instead of what one call leads to.
 *
 * The trampoline at the function's entry, or at the call, jumps to weft_around_K(), a function of
 * the aspect's module; K is an index into weft_arounds. What weft_around_K() returns goes to the
 * function's caller. In the advice, weft_proceed() calls the original function, by way of the
 * trampoline, where the instructions are that the splice has displaced. The kernel's unwinder knows
 * the module's functions, and no address of a trampoline is on the stack. So stack traces through
 * around-advice are complete and reliable.
 *
 * The advice runs with preemption, interrupts and locks as the function would find them, and holds
 * nothing of a CPU. So a task may sleep in the function, and go on on another CPU.
 *
 * Around-advice does not run inside advice, of whatever aspect. There the function runs without it,
 * and the execution is counted as missed. Two things show that advice is running. For before- and
 * after-advice it is the CPU's nesting guard. For around-advice it is a bit of the task, one for
 * each context (task, softirq, interrupt, NMI; execution.h). This bit is not set while
 * weft_proceed() runs the function. So if the function calls itself, or other functions that have
 * around-advice, the advice runs there, too.
 *
 * If the advice faults, weft.ko ends it: the function runs with the arguments of the hit, or, if
 * weft_proceed() has run it already, what that returned is returned. For this the execution keeps
 * on its stack what struct wr_execution has. Whether a fault is the advice's own shows in the bit.
 * So what may fault must not be moved out of where the bit is set, nor from after a call of the
 * function to before it: barriers, and asm that takes values, see to that.
 *
 * The members .begun and .ended of the aspect's stats count the executions that have been in the
 * advice or in the function. The module must stay until all have ended (kmod/aspect-life.c).
 */
#ifndef WEFT_AROUND_H
#define WEFT_AROUND_H

#ifndef CONFIG_TRACING
#error around-advice needs a kernel with CONFIG_TRACING
#endif

#include <linux/version.h>

#include "advice.h"
#include "execution.h"
#include "trampoline.h"

/*
 * The kernel's variables of this CPU that preempt_count() and `current` read. Read here, the count
 * still has the bit for rescheduling, and the compiler does not keep the task in a register.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0) && LINUX_VERSION_CODE < KERNEL_VERSION(6, 15, 0)
#define wr_count_variable pcpu_hot.preempt_count
#define wr_task() this_cpu_read(pcpu_hot.current_task)
#else
#define wr_count_variable __preempt_count
#define wr_task() this_cpu_read(current_task)
#endif

/*
 * @variable, a per-CPU variable, as an operand of asm that addresses it on this CPU. Newer kernels
 * tell the compiler of an address space for %gs, and need __my_cpu_var().
 */
#ifdef __my_cpu_var
#define wr_operand(variable) __my_cpu_var(variable)
#else
#define wr_operand(variable) (variable)
#endif

static __always_inline u64 wr_count(void)
{
	u64 count;

	asm volatile("movl " __percpu_arg(1) ", %k0"
		     : "=r"(count) : "m"(wr_operand(wr_count_variable)));
	return count;
}

/* What the body of around-advice needs to call the function. */
struct wr_inside {
	const struct weft_around *around;
	struct wr_execution *execution;
	struct task_struct **task; /* current, in a variable of the caller's */
	u8 bit;	   /* which is set in the task while the advice's own code runs */
	bool held; /* the advice may call the function while it holds a lock or the like */
};

/* The function at the joinpoint, by the number of its arguments that are in registers. */
typedef unsigned long (*wr_function_0)(void);
typedef unsigned long (*wr_function_1)(unsigned long);
typedef unsigned long (*wr_function_2)(unsigned long, unsigned long);
typedef unsigned long (*wr_function_3)(unsigned long, unsigned long, unsigned long);
typedef unsigned long (*wr_function_4)(unsigned long, unsigned long, unsigned long, unsigned long);
typedef unsigned long (*wr_function_5)(unsigned long, unsigned long, unsigned long, unsigned long,
				       unsigned long);
typedef unsigned long (*wr_function_6)(unsigned long, unsigned long, unsigned long, unsigned long,
				       unsigned long, unsigned long);

#define WR_ARGUMENTS_0 void
#define WR_ARGUMENTS_1 unsigned long a
#define WR_ARGUMENTS_2 WR_ARGUMENTS_1, unsigned long b
#define WR_ARGUMENTS_3 WR_ARGUMENTS_2, unsigned long c
#define WR_ARGUMENTS_4 WR_ARGUMENTS_3, unsigned long d
#define WR_ARGUMENTS_5 WR_ARGUMENTS_4, unsigned long e
#define WR_ARGUMENTS_6 WR_ARGUMENTS_5, unsigned long f

#define WR_VALUES_0
#define WR_VALUES_1 a
#define WR_VALUES_2 a, b
#define WR_VALUES_3 a, b, c
#define WR_VALUES_4 a, b, c, d
#define WR_VALUES_5 a, b, c, d, e
#define WR_VALUES_6 a, b, c, d, e, f

#define WR_THEN_ARGUMENTS_0
#define WR_THEN_ARGUMENTS_1 , WR_ARGUMENTS_1
#define WR_THEN_ARGUMENTS_2 , WR_ARGUMENTS_2
#define WR_THEN_ARGUMENTS_3 , WR_ARGUMENTS_3
#define WR_THEN_ARGUMENTS_4 , WR_ARGUMENTS_4
#define WR_THEN_ARGUMENTS_5 , WR_ARGUMENTS_5
#define WR_THEN_ARGUMENTS_6 , WR_ARGUMENTS_6

#define wr_original(around, type, ...) ((type)READ_ONCE((around)->original))(__VA_ARGS__)

/*
 * Makes the compiler compute @value here. It must not move a division, which may fault, to where
 * the value is used.
 */
#define wr_compute(value) asm volatile("" : "+rm"(value))

#define WR_COMPUTE_0
#define WR_COMPUTE_1 wr_compute(a);
#define WR_COMPUTE_2 WR_COMPUTE_1 wr_compute(b);
#define WR_COMPUTE_3 WR_COMPUTE_2 wr_compute(c);
#define WR_COMPUTE_4 WR_COMPUTE_3 wr_compute(d);
#define WR_COMPUTE_5 WR_COMPUTE_4 wr_compute(e);
#define WR_COMPUTE_6 WR_COMPUTE_5 wr_compute(f);

/*
 * What weft_proceed() notes before and after the call, besides what was returned. The function may
 * return with another preemption count, or with interrupts off that were on: it takes a lock, for
 * example. If the advice is left later, the function's caller must find this so. What the advice
 * itself holds while it calls the function is given back then. Where the weaver knows that the
 * advice's C holds nothing (weaver/aspect/language/holds.c), the count after the call is that of
 * the caller.
 *
 * If the advice has interrupts off, the bit that says that they were on before is kept in
 * ->proceeded, since around-advice in the function uses the same bit.
 */
struct wr_held {
	u16 preempts;
	bool off; /* interrupts are */
};

static __always_inline u8 wr_before_call(const struct wr_inside *inside, struct wr_held *ret)
{
	if (!inside->held)
		return inside->bit;
	ret->preempts = wr_count();
	ret->off = arch_irqs_disabled();
	return READ_ONCE(wr_around_bits);
}

static __always_inline void wr_after_call(const struct wr_inside *inside,
					  const struct wr_held *before)
{
	struct wr_execution *execution = inside->execution;

	if (!inside->held) {
		WRITE_ONCE(execution->own_preempts, wr_count());
		return;
	}
	execution->own_preempts += wr_count() - before->preempts;
	if (!before->off && arch_irqs_disabled())
		WRITE_ONCE(execution->proceeded, inside->bit);
}

/*
 * weft_proceed(), with @n arguments: runs the function at the joinpoint, outside of the advice.
 * While the task's bit is set, a tick may end the advice (kmod/budget.c). So all is noted while the
 * bit is clear. After the call the task is read again: that takes less than keeping its address.
 */
#define WR_PROCEED(n)                                                                           \
	static __always_inline unsigned long wr_proceed_##n(                                    \
		const struct wr_inside *inside WR_THEN_ARGUMENTS_##n)                           \
	{                                                                                       \
		struct wr_execution *execution = inside->execution;                             \
		struct wr_held before;                                                          \
		unsigned long returned;                                                         \
		u8 bits;                                                                        \
                                                                                                \
		WR_COMPUTE_##n                                                                  \
		barrier();                                                                      \
		bits = wr_before_call(inside, &before);                                         \
		wr_around_bits_of(*inside->task) &=                                             \
			~(inside->bit | WR_INTERRUPTS_OF(inside->bit));                         \
		barrier();                                                                      \
		WRITE_ONCE(execution->proceeded, bits);                                         \
		returned = wr_original(inside->around, wr_function_##n, WR_VALUES_##n);         \
		WRITE_ONCE(execution->returned, returned);                                      \
		wr_after_call(inside, &before);                                                 \
		barrier();                                                                      \
		*inside->task = wr_task();                                                      \
		wr_around_bits_of(*inside->task) |= inside->bit;                                \
		barrier();                                                                      \
		return returned;                                                                \
	}
WR_PROCEED(0)
WR_PROCEED(1)
WR_PROCEED(2)
WR_PROCEED(3)
WR_PROCEED(4)
WR_PROCEED(5)
WR_PROCEED(6)

static_assert(WR_AROUND_BIT << (WEFT_CONTEXTS - 1) <= U8_MAX);

/* Attribute of functions that preserve all registers except that of the result. */
#define WR_PRESERVING __attribute__((no_caller_saved_registers))

/*
 * Continues wr_is_in_advice() when before- or after-advice is running on this CPU. The guard has
 * the context bits of the preemption count at that advice's hit, so they are compared with those of
 * the count now (WR_GUARD_SHIFT). The task cannot migrate meanwhile, since such advice runs with
 * preemption off. It preserves all registers, so that the arguments need not be saved for it.
 */
static noinline bool notrace WR_PRESERVING wr_is_in_other_advice(void)
{
	const u32 contexts = NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET;
	const u32 guard = this_cpu_read(wk_guard);

	return (guard & contexts) >= ((u32)preempt_count() & contexts) >> WR_GUARD_SHIFT;
}

/*
 * Returns whether this code is called by before- or after-advice. The nesting guard alone does not
 * show that: such advice may also be running in a lower context on this CPU, which this context has
 * interrupted.
 */
static __always_inline bool wr_is_in_advice(void)
{
	bool idle;

	asm volatile("cmpq %2, " __percpu_arg(1)
		     : "=@cce"(idle) : "m"(wr_operand(wk_guard)), "i"(WR_GUARD_IDLE));
	return unlikely(!idle) && wr_is_in_other_advice();
}

/*
 * Is enough of the stack left for around-advice that may need @stack bytes of it (0: it needs
 * little)? If not, counts that in @stats.
 */
static __always_inline bool wr_has_stack(struct weft_stats __percpu *stats, unsigned long stack)
{
	if (!stack || likely(weft_stack_left() >= stack + WR_STACK_RESERVE))
		return true;
	this_cpu_inc(stats->no_stack);
	return false;
}

/*
 * The functions that run the body of around-advice @index: weft_instead_@index() in a task,
 * weft_odd_@index() in any other context. @type: what the function at the joinpoint returns. If a
 * way through the body leaves it without a value, the compiler reports $return as uninitialized.
 * @held: see struct wr_inside.
 * The pragmas make that an error: GCC applies those that are in force where a macro is defined.
 */
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wuninitialized"
#pragma GCC diagnostic error "-Wmaybe-uninitialized"
#define WEFT_AROUND(index, type, held)                                                         \
	static __always_inline unsigned long weft_run_##index(                                 \
		struct wr_execution *execution, const struct weft_frame *frame,                \
		const struct weft_around *around, u8 bit, struct task_struct *task)            \
	{                                                                                      \
		const struct weft_hit hit = { frame, around->shadow };                         \
		const struct weft_hit *const weft = &hit;                                      \
		const struct wr_inside inside = { around, execution, &task, bit, held };       \
		unsigned long returned;                                                        \
		type $return WR_UNINITIALIZED;                                                 \
                                                                                               \
		weft_body_##index(weft, &inside, &$return);                                    \
		returned = (unsigned long)$return;                                             \
		asm volatile("" : "+a"(returned) : : "memory"); /* as wr_compute() */           \
		wr_around_bits_of(task) &= ~(bit | WR_INTERRUPTS_OF(bit));                     \
		this_cpu_inc(weft_aspect_stats.ended);                                         \
		return returned;                                                               \
	}                                                                                      \
	static unsigned long notrace weft_instead_##index(                                     \
		struct wr_execution *execution, const struct weft_frame *frame,                \
		const struct weft_around *around, struct task_struct *task)                    \
	{                                                                                      \
		return weft_run_##index(execution, frame, around, WR_AROUND_BIT, task);        \
	}                                                                                      \
	static noinline unsigned long notrace weft_odd_##index(                                \
		struct wr_execution *execution, const struct weft_around *around, u8 bit)      \
	{                                                                                      \
		return weft_run_##index(execution, &execution->frame, around, bit, current);   \
	}

/* Stores an argument twice: in the execution's frame, for weft.ko, and in the advice's frame. */
#define wr_store(number, value) (execution.frame.reg[number] = frame.reg[number] = (value))

#define WR_STORE_0 (void)0
#define WR_STORE_1 wr_store(WR_RDI, a)
#define WR_STORE_2 WR_STORE_1, wr_store(WR_RSI, b)
#define WR_STORE_3 WR_STORE_2, wr_store(WR_RDX, c)
#define WR_STORE_4 WR_STORE_3, wr_store(WR_RCX, d)
#define WR_STORE_5 WR_STORE_4, wr_store(WR_R8, e)
#define WR_STORE_6 WR_STORE_5, wr_store(WR_R9, f)

/*
 * Sets the bit of context @context in the task; returns whether it was set before. From here on
 * until the bit is cleared, a fault ends the advice. So weft.ko must find @execution in the stack
 * frame of @function, which contains this code: this also defines @name, the struct wr_location for
 * that. If the compiler duplicates this code, .ifndef leaves out the second, equal definition.
 */
#define WR_ENTER(context, name, function, execution, task)                                       \
	({                                                                                       \
		bool weft_was;                                                                   \
                                                                                                 \
		asm volatile("771:\tbtsq %2, %1\n\t"                                             \
			     ".pushsection .rodata, \"a\"\n\t"                                   \
			     ".ifndef " #name "\n\t"                                             \
			     ".balign 8\n" #name ":\n\t"                                         \
			     ".quad %c4\n\t"                                                     \
			     ".long 771b - %c4\n"                                                \
			     "772:\tlea %3, %%rax\n\t"                                           \
			     ".skip 12 - (. - 772b)\n\t"                                         \
			     ".endif\n\t"                                                        \
			     ".popsection"                                                       \
			     : "=@ccc"(weft_was), "+m"((task)->trace_recursion)                  \
			     : "Jr"((unsigned long)(context) + WR_AROUND_SHIFT), "m"(execution), \
			       "i"(function)                                                     \
			     : "memory");                                                        \
		weft_was;                                                                        \
	})

/*
 * The entry of around-advice @index at the joinpoint of weft_arounds[@at]: weft_around_@at(), with
 * @n arguments: those of the function there, and perhaps a call's target after them. It calls
 * weft_around_odd_@at() in softirqs, interrupts and NMIs. @stack: see wr_has_stack(). Where the
 * advice has one joinpoint, the compiler makes one function of the entry and
 * weft_instead_@index(). @read: which frame the advice reads: `frame` if its code becomes a part of
 * the entry, else `execution.frame`. @attribute: WR_NO_STACK_PROTECTOR, or nothing.
 *
 * An execution that the advice is not for (weft_wanted_@index()), or that is missed, is not inside:
 * the last thing here is a jump to the function, which leaves nothing on the stack. So unweaving
 * does not wait for those. With @stays, a caller of the entry stays on the stack, and all
 * executions are inside.
 */
#define WEFT_AROUND_AT(index, at, n, stack, stays, read, attribute)                               \
	static noinline __noclone attribute unsigned long notrace weft_around_odd_##at(           \
		WR_ARGUMENTS_##n)                                                                 \
	{                                                                                         \
		const u32 context = wr_context();                                                 \
		u64 count = wr_count();                                                           \
                                                                                                  \
		WR_AROUND_BODY(index, at, n, stack, stays, weft_around_odd_##at,                  \
			       weft_location_odd_##at,                                            \
			       weft_odd_##index(&execution, around, WR_AROUND_BIT << context))    \
	}                                                                                         \
	static noinline __noclone attribute unsigned long notrace weft_around_##at(               \
		WR_ARGUMENTS_##n)                                                                 \
	{                                                                                         \
		const u32 context = 0;                                                            \
		register u64 count asm("r10") = wr_count();                                       \
                                                                                                  \
		/* The count stays in r10, in which no argument is passed. */                     \
		asm("" : "+r"(count));                                                            \
		if (unlikely(count & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET)))                 \
			return weft_around_odd_##at(WR_VALUES_##n);                               \
		WR_AROUND_BODY(index, at, n, stack, stays, weft_around_##at, weft_location_##at,  \
			       weft_instead_##index(&execution, &read, around, task))             \
	}
/*
 * ->begin is stored before anything else: weft.ko may look at the execution in between, if a tick
 * comes here while other around-advice of the task is running (find_around() in
 * kmod/splice/leave.c).
 *
 * Executions that are missed are inside, too, with @stays: they count as begun, so that 1 is taken
 * from the hits. ->begin says so while the function runs.
 */
#define WR_AROUND_BODY(index, at, n, stack, stays, function, location, run)                       \
	const struct weft_around *around = &weft_arounds[at];                                     \
	{ /* the variable lives in this block, so that the last call below can be a jump */       \
		struct wr_execution execution WR_UNINITIALIZED;                                   \
		struct weft_frame frame WR_UNINITIALIZED; /* in registers: asm never names it */  \
		register struct task_struct *task asm("r11"); /* r11 holds no argument */         \
		unsigned long returned;                                                           \
                                                                                                  \
		WRITE_ONCE(execution.begin, count);                                               \
		if (!wr_has_stack(&weft_aspect_stats, stack) || wr_is_in_advice())                \
			goto missed;                                                              \
		WR_STORE_##n;                                                                     \
		task = current;                                                                   \
		asm("" : "+r"(task));                                                             \
		if (unlikely(WR_ENTER(context, location, function, execution, task)))             \
			goto missed;                                                              \
		this_cpu_inc(weft_aspect_stats.begun);                                            \
		if (weft_wanted_##index())                                                        \
			return run;                                                               \
		wr_around_bits &= ~(WR_AROUND_BIT << context);                                    \
		if (!stays) {                                                                     \
			this_cpu_inc(weft_aspect_stats.ended);                                    \
			goto original;                                                            \
		}                                                                                 \
		goto inside;                                                                      \
missed:                                                                                           \
		this_cpu_inc(weft_aspect_stats.missed);                                           \
		if (!stays)                                                                       \
			goto original;                                                            \
		this_cpu_inc(weft_aspect_stats.begun);                                            \
		this_cpu_dec(weft_aspect_stats.hits);                                             \
		WRITE_ONCE(execution.begin, WR_MISSED);                                           \
inside:                                                                                           \
		returned = wr_original(around, wr_function_##n, WR_VALUES_##n);                   \
		this_cpu_inc(weft_aspect_stats.ended);                                            \
		return returned;                                                                  \
	}                                                                                         \
original:                                                                                         \
	return wr_original(around, wr_function_##n, WR_VALUES_##n);

/*
 * Entries that call weft_around_@at() and preserve registers: weft_around_most_@at() all except
 * that of the result, weft_around_all_@at() all. They are for functions whose callers may have been
 * compiled with the knowledge which registers the function leaves alone: kernel code without
 * ftrace's calls is compiled with -fipa-ra.
 */
#define WEFT_AROUND_MOST(at, n)                                                                   \
	WEFT_AROUND_REST(at, n)                                                                   \
	static unsigned long notrace WR_PRESERVING weft_around_most_##at(WR_ARGUMENTS_##n)        \
	{                                                                                         \
		return weft_around_##at(WR_VALUES_##n);                                           \
	}
#define WEFT_AROUND_ALL(at, n)                                                                    \
	WEFT_AROUND_REST(at, n)                                                                   \
	static void notrace WR_PRESERVING weft_around_all_##at(WR_ARGUMENTS_##n)                  \
	{                                                                                         \
		weft_around_##at(WR_VALUES_##n);                                                  \
	}

/*
 * Runs in place of the rest of weft_around_@at(), if the advice has faulted before it has called
 * the function.
 */
#define WEFT_AROUND_REST(at, n)                                                             \
	static unsigned long notrace weft_around_rest_##at(WR_ARGUMENTS_##n)                \
	{                                                                                   \
		const struct weft_around *around = &weft_arounds[at];                       \
		unsigned long returned = wr_original(around, wr_function_##n, WR_VALUES_##n); \
                                                                                            \
		this_cpu_inc(weft_aspect_stats.ended);                                      \
		return returned;                                                            \
	}
#pragma GCC diagnostic pop

#endif /* WEFT_AROUND_H */
