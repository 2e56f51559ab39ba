/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an execution of around-advice keeps on its stack for weft.ko, which ends the advice if it
 * faults (kmod/splice/leave-around.c). Shared by aspects (around.h) and weft.ko.
 */
#ifndef WEFT_EXECUTION_H
#define WEFT_EXECUTION_H

#include <linux/sched.h>

#include "frame.h"

/*
 * Bits of a task that say in which contexts its around-advice is running: WR_AROUND_BIT <<
 * wr_context(). They are bits 28 to 31 of task_struct.trace_recursion; the kernel uses those below
 * 24 in the same way (linux/trace_recursion.h). It stores the lower 32 bits as it has read them,
 * and clears the upper ones (trace_test_and_set_recursion()).
 */
#define WR_AROUND_BIT 0x10
#define WR_AROUND_BITS 0xf0
#define WR_AROUND_SHIFT 28 /* position of the lowest of these bits in trace_recursion */
#ifdef CONFIG_TRACING /* otherwise no aspect has around-advice (around.h) */
#define wr_around_bits_of(task) (*((u8 *)&(task)->trace_recursion + 3))
#define wr_around_bits wr_around_bits_of(current)
#endif

/*
 * The four bits below WR_AROUND_BITS. A bit says that the advice in that context has switched
 * interrupts off, which were on before; a fault switches them on again.
 */
#define WR_INTERRUPTS_OF(bits) ((bits) >> 4)

struct wr_execution {
	struct weft_frame frame; /* the arguments at the hit, in their registers */
	unsigned long returned;	 /* what weft_proceed() has returned, if it was called */
	union {
		/*
		 * written once, when the execution begins: the lower half is .preempts, the
		 * preemption count at the hit; the upper half is 0
		 */
		u64 begin;
		struct {
			union {
				/*
				 * the preemption count with which the function's caller goes on if
				 * the advice is left: that at the hit, plus what the function has
				 * added in weft_proceed(). The bit for rescheduling may be set
				 */
				u32 preempts;
				u16 own_preempts; /* its low half: preemption and softirqs */
			};
			union {
				/*
				 * 0: weft_proceed() was not called yet. Otherwise the task's bit
				 * and its bit for interrupts, as they were at the last call.
				 */
				u8 proceeded;
				/* in the upper 24 bits: what ticks have seen (kmod/budget.c) */
				u32 seen;
			};
		};
	};
};

/*
 * The value of ->begin if the execution was missed, while the function at the joinpoint runs:
 * weft_around_@at() (around.h) has called it without running the advice, so its own stack frame
 * with the struct wr_execution is still there. An execution that is not missed begins with 0 in the
 * upper half of ->begin, so never with this value.
 */
#define WR_MISSED U64_MAX

/*
 * Says where a function of an aspect's module keeps its struct wr_execution on the stack: by the
 * `lea` that would compute its address. The assembler makes this instruction from the operand that
 * the compiler gives for the variable. No CPU runs it; weft.ko reads it.
 */
struct wr_location {
	unsigned long function; /* live address of the function's first byte */
	/* bytes from there to an instruction of the function that runs while it has the struct */
	u32 offset;
	u8 lea[12]; /* `lea distance(%rsp or %rbp), %rax`, as it would be at that instruction */
};

#endif /* WEFT_EXECUTION_H */
