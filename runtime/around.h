/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Around-advice, in generated aspect modules. The trampoline jumps to weft_around_K(), a function
 * of the module, instead of running the function at the joinpoint; K is an index into weft_arounds.
 * What weft_around_K() returns goes to the function's caller. weft_proceed() calls the function, by
 * way of the trampoline that has the instructions which the splice has displaced. The module's
 * functions are known to the kernel's unwinder, and no address of a trampoline is on the stack. So
 * stack traces through around-advice are complete and reliable.
 *
 * Preemption, interrupts and locks are as the function would find them. Nothing of a CPU is held:
 * a task may sleep in the function, and go on on another CPU.
 *
 * Around-advice does not run in advice, of whatever aspect: the function runs without it, and the
 * execution is counted as missed. For before- and after-advice the CPU's nesting guard tells. For
 * around-advice a bit of the task does, one for each context: task, softirq, interrupt, NMI. It is
 * not set while the function runs, so a function that calls itself, or other functions with
 * around-advice, has advice each time. The bits are the upper four of task_struct.trace_recursion;
 * the kernel uses the lower ones in the same way (linux/trace_recursion.h).
 *
 * .inside of the aspect's stats counts who is in the advice or in the function. The module is in
 * use until it is 0 (kmod/aspect-life.c).
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
	unsigned long bit; /* which is set in the task while the advice's own code runs */
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

#define wr_original(around, type, ...) ((type)READ_ONCE((around)->original))(__VA_ARGS__)

/* weft_proceed(): runs the function, outside of the advice. */
#define wr_proceed(inside, type, ...)                                                  \
	({                                                                             \
		unsigned long weft_returned;                                           \
                                                                                       \
		current->trace_recursion &= ~(inside)->bit;                            \
		weft_returned = wr_original((inside)->around, type, ##__VA_ARGS__);    \
		current->trace_recursion |= (inside)->bit;                             \
		weft_returned;                                                         \
	})

enum { WR_AROUND_BITS = 60 };
static_assert(BITS_PER_LONG >= WR_AROUND_BITS + WEFT_CONTEXTS);

/*
 * Is this called by before- or after-advice? Such advice may also run on this CPU in a lower
 * context, which this one has interrupted. As long as there is some, the task stays on this CPU.
 */
static noinline bool notrace wr_is_in_advice(long guard)
{
	const u32 contexts = NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET;

	return ((u32)guard & contexts) >= ((u32)preempt_count() & contexts) >> WR_GUARD_SHIFT;
}

/*
 * May around-advice run? Counts the hit or the miss. @bit: of the context. @stack: bytes that the
 * advice may need; 0: little.
 */
static __always_inline bool wr_around_may(struct weft_stats __percpu *stats, unsigned long bit,
					  unsigned long stack)
{
	const long guard = this_cpu_read(wk_guard);

	if (stack && unlikely(weft_stack_left() < stack + WR_STACK_RESERVE)) {
		this_cpu_inc(stats->missed);
		this_cpu_inc(stats->no_stack);
		return false;
	}
	if (unlikely(current->trace_recursion & bit) ||
	    (unlikely(guard != WR_GUARD_IDLE) && wr_is_in_advice(guard))) {
		this_cpu_inc(stats->missed);
		return false;
	}
	this_cpu_inc(stats->hits);
	return true;
}

/* Where the kernel is compiled so that locals are set to 0: not this one. */
#if __has_attribute(__uninitialized__)
#define WR_UNINITIALIZED __attribute__((__uninitialized__))
#else
#define WR_UNINITIALIZED
#endif

/*
 * The function of around-advice @index. @type: of what the function at the joinpoint returns. The
 * compiler reports $return by this name if a way through the body leaves it without a value; where
 * the macros below are defined decides that this is an error in them.
 */
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wuninitialized"
#pragma GCC diagnostic error "-Wmaybe-uninitialized"
#define WEFT_AROUND(index, type)                                                               \
	static unsigned long notrace weft_instead_##index(const struct weft_frame *frame,      \
							  const struct weft_around *around,    \
							  unsigned long bit)                   \
	{                                                                                      \
		const struct weft_hit hit = { frame, around->shadow }, *const weft = &hit;     \
		const struct wr_inside inside = { around, bit };                               \
		type $return WR_UNINITIALIZED;                                                 \
                                                                                               \
		current->trace_recursion |= bit;                                               \
		weft_body_##index(weft, &inside, &$return);                                    \
		current->trace_recursion &= ~bit;                                              \
		this_cpu_dec(weft_aspect_stats.inside);                                        \
		return (unsigned long)$return;                                                 \
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
 * The entry of around-advice @index at the joinpoint of weft_arounds[@at]: a function of @n
 * arguments. @stack: see wr_around_may(). Where the advice has one joinpoint the compiler makes one
 * function of the two.
 *
 * An execution that the advice is not for (weft_wanted_N()), or that is missed, is not inside: the
 * last thing here is a jump to the function, which leaves nothing on the stack. So unweaving does
 * not wait for those.
 */
#define WEFT_AROUND_AT(index, at, n, stack)                                               \
	static unsigned long notrace weft_around_##at(WR_ARGUMENTS_##n)                   \
	{                                                                                 \
		const unsigned long bit = 1ul << (WR_AROUND_BITS + wr_context());         \
		struct weft_frame frame WR_UNINITIALIZED;                                 \
                                                                                          \
		this_cpu_inc(weft_aspect_stats.inside);                                   \
		if (!wr_around_may(&weft_aspect_stats, bit, stack) ||                     \
		    !weft_wanted_##index()) {                                             \
			this_cpu_dec(weft_aspect_stats.inside);                           \
			return wr_original(&weft_arounds[at], wr_function_##n,            \
					   WR_VALUES_##n);                                \
		}                                                                         \
		WR_STORE_##n;                                                             \
		return weft_instead_##index(&frame, &weft_arounds[at], bit);              \
	}
#pragma GCC diagnostic pop

#endif /* WEFT_AROUND_H */
