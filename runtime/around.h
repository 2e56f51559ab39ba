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
 * each context (task, softirq, interrupt, NMI). This bit is not set while weft_proceed() runs the
 * function. So if the function calls itself, or other functions that have around-advice, the advice
 * runs there, too. The bits are the upper four of task_struct.trace_recursion; the kernel uses the
 * lower ones in the same way (linux/trace_recursion.h).
 *
 * The member .inside of the aspect's stats counts the executions that are in the advice or in the
 * function. The module must stay until this is 0 (kmod/aspect-life.c).
 */
#ifndef WEFT_AROUND_H
#define WEFT_AROUND_H

#ifndef CONFIG_TRACING
#error around-advice needs a kernel with CONFIG_TRACING
#endif

#include "advice.h"
#include "trampoline.h"

/* An execution of around-advice. */
struct wr_inside {
	const struct weft_around *around;
	u8 bit; /* which is set in the task while the advice's own code runs */
};

/* The bits, WR_AROUND_BIT << wr_context(). */
#define WR_AROUND_BIT 0x10
#define wr_around_bits (*((u8 *)&current->trace_recursion + sizeof(long) - sizeof(u8)))

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

#define wr_original(around, type, ...) ((type)READ_ONCE((around)->original))(__VA_ARGS__)

/* weft_proceed(): runs the function, outside of the advice. */
#define wr_proceed(inside, type, ...)                                                  \
	({                                                                             \
		unsigned long weft_returned;                                           \
                                                                                       \
		wr_around_bits &= ~(inside)->bit;                                      \
		weft_returned = wr_original((inside)->around, type, ##__VA_ARGS__);    \
		wr_around_bits |= (inside)->bit;                                       \
		weft_returned;                                                         \
	})

static_assert(WR_AROUND_BIT << (WEFT_CONTEXTS - 1) <= U8_MAX);

/*
 * Continues wr_is_in_advice() when before- or after-advice is running on this CPU. The guard has
 * the context bits of the preemption count at that advice's hit, so they are compared with those of
 * the count now (WR_GUARD_SHIFT). The task cannot migrate meanwhile, since such advice runs with
 * preemption off.
 */
static noinline bool notrace wr_is_in_other_advice(void)
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
		     : "=@cce"(idle) : "m"(wk_guard), "i"(WR_GUARD_IDLE));
	return unlikely(!idle) && wr_is_in_other_advice();
}

/*
 * May around-advice run? Counts the hit or the miss. @bit: WR_AROUND_BIT << wr_context(). @stack:
 * bytes of stack that the advice may need; 0: little.
 */
static __always_inline bool wr_around_may(struct weft_stats __percpu *stats, u8 bit,
					  unsigned long stack)
{
	if (stack && unlikely(weft_stack_left() < stack + WR_STACK_RESERVE)) {
		this_cpu_inc(stats->missed);
		this_cpu_inc(stats->no_stack);
		return false;
	}
	if (unlikely(wr_around_bits & bit) || wr_is_in_advice()) {
		this_cpu_inc(stats->missed);
		return false;
	}
	this_cpu_inc(stats->hits);
	return true;
}

/*
/*
 * The functions that run the body of around-advice @index: weft_instead_@index() in a task,
 * weft_odd_@index() in any other context. @type: what the function at the joinpoint returns. If a
 * way through the body leaves it without a value, the compiler reports $return as uninitialized.
 * The pragmas make that an error: GCC applies those that are in force where a macro is defined.
 */
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wuninitialized"
#pragma GCC diagnostic error "-Wmaybe-uninitialized"
#define WEFT_AROUND(index, type)                                                               \
	static __always_inline unsigned long weft_run_##index(                                 \
		const struct weft_frame *frame, const struct weft_around *around, u8 bit)      \
	{                                                                                      \
		const struct weft_hit hit = { frame, around->shadow }, *const weft = &hit;     \
		const struct wr_inside inside = { around, bit };                               \
		type $return WR_UNINITIALIZED;                                                 \
                                                                                               \
		wr_around_bits |= bit;                                                         \
		weft_body_##index(weft, &inside, &$return);                                    \
		wr_around_bits &= ~bit;                                                        \
		this_cpu_dec(weft_aspect_stats.inside);                                        \
		return (unsigned long)$return;                                                 \
	}                                                                                      \
	static unsigned long notrace weft_instead_##index(const struct weft_frame *frame,      \
							  const struct weft_around *around)    \
	{                                                                                      \
		return weft_run_##index(frame, around, WR_AROUND_BIT);                         \
	}                                                                                      \
	static noinline unsigned long notrace weft_odd_##index(                                \
		const struct weft_frame *frame, const struct weft_around *around, u8 bit)      \
	{                                                                                      \
		return weft_run_##index(frame, around, bit);                                   \
	}

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

#define WR_STORE_0
#define WR_STORE_1 frame.reg[WR_RDI] = a
#define WR_STORE_2 WR_STORE_1, frame.reg[WR_RSI] = b
#define WR_STORE_3 WR_STORE_2, frame.reg[WR_RDX] = c
#define WR_STORE_4 WR_STORE_3, frame.reg[WR_RCX] = d
#define WR_STORE_5 WR_STORE_4, frame.reg[WR_R8] = e
#define WR_STORE_6 WR_STORE_5, frame.reg[WR_R9] = f

/*
 * The entry of around-advice @index at the joinpoint of weft_arounds[@at]: weft_around_@at(), with
 * @n arguments: those of the function there, and perhaps a call's target behind them. It calls
 * weft_around_odd_@at() in softirqs, interrupts and NMIs. @stack: see wr_around_may(). Where the
 * advice has one joinpoint, the compiler makes one function of the entry and
 * weft_instead_@index().
 *
 * An execution that the advice is not for (weft_wanted_@index()), or that is missed, is not inside:
 * the last thing here is a jump to the function, which leaves nothing on the stack. So unweaving
 * does not wait for those. With @stays, a caller of the entry stays on the stack, and all
 * executions are inside.
 */
#define WEFT_AROUND_AT(index, at, n, stack, stays)                                                \
	static noinline unsigned long notrace weft_around_odd_##at(WR_ARGUMENTS_##n)              \
	{                                                                                         \
		const u8 bit = WR_AROUND_BIT << wr_context();                                     \
                                                                                                  \
		WR_AROUND_BODY(index, at, n, stack, stays, bit,                                   \
			       weft_odd_##index(&frame, around, bit))                             \
	}                                                                                         \
	static unsigned long notrace weft_around_##at(WR_ARGUMENTS_##n)                           \
	{                                                                                         \
		if (unlikely(wr_context()))                                                       \
			return weft_around_odd_##at(WR_VALUES_##n);                               \
		WR_AROUND_BODY(index, at, n, stack, stays, WR_AROUND_BIT,                         \
			       weft_instead_##index(&frame, around))                              \
	}
#define WR_AROUND_BODY(index, at, n, stack, stays, bit, run)                                      \
	const struct weft_around *around = &weft_arounds[at];                                     \
	struct weft_frame frame WR_UNINITIALIZED;                                                 \
	unsigned long returned;                                                                   \
                                                                                                  \
	this_cpu_inc(weft_aspect_stats.inside);                                                   \
	if (!wr_around_may(&weft_aspect_stats, bit, stack) || !weft_wanted_##index()) {           \
		if (!stays) {                                                                     \
			this_cpu_dec(weft_aspect_stats.inside);                                   \
			return wr_original(around, wr_function_##n, WR_VALUES_##n);               \
		}                                                                                 \
		returned = wr_original(around, wr_function_##n, WR_VALUES_##n);                   \
		this_cpu_dec(weft_aspect_stats.inside);                                           \
		return returned;                                                                  \
	}                                                                                         \
	WR_STORE_##n;                                                                             \
	return run;

/*
 * Entries that call weft_around_@at() and preserve all registers; the first one not that of the
 * result. They are for functions whose callers may have been compiled with the knowledge which
 * registers the function leaves alone: kernel code without ftrace's calls is compiled with
 * -fipa-ra.
 */
#define WEFT_AROUND_MOST(at, n)                                                                   \
	static unsigned long notrace WR_PRESERVING weft_around_most_##at(WR_ARGUMENTS_##n)        \
	{                                                                                         \
		return weft_around_##at(WR_VALUES_##n);                                           \
	}
#define WEFT_AROUND_ALL(at, n)                                                                    \
	static void notrace WR_PRESERVING weft_around_all_##at(WR_ARGUMENTS_##n)                  \
	{                                                                                         \
		weft_around_##at(WR_VALUES_##n);                                                  \
	}
#define WR_PRESERVING __attribute__((no_caller_saved_registers))
#pragma GCC diagnostic pop

#endif /* WEFT_AROUND_H */
