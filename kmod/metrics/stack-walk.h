/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The steps of weft's walk over a stack, from a frame to that of its caller. stack.c walks so from
 * the joinpoint to the stack's end; stack-paths.h goes a way that was gone before. A step does what
 * the kernel's table says of the frame (stack-rows.h). It reads nothing outside the stack that it
 * is on.
 */
#ifndef WK_STACK_WALK_H
#define WK_STACK_WALK_H

#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>

#include "metrics/stack-rows.h"

/* What a trampoline pushes before it saves registers (runtime/trampoline.h). */
struct wk_link {
	unsigned long bp; /* the frame pointer at the shadow */
	/* a return address, as if the shadow had called: its own, or the shadow's address plus 1 */
	unsigned long ip;
};

/*
 * The state of a walk. Functions that are inlined keep it in registers. So functions that are not
 * inlined get a pointer to a copy.
 */
struct wk_walk {
	unsigned long sp;
	unsigned long end;	/* of the stack that @sp is on */
	unsigned long saved_at; /* where the frame pointer has been saved */
	unsigned long ip;	/* a return address, or that of an interrupted instruction */
	unsigned long key;	/* of the row that describes @ip's frame (stack-rows.h) */
};

/* The begin of a walk, at a shadow. @end: of the stack that @link is on. */
static __always_inline struct wk_walk wk_walk_begin(const struct wk_link *link, unsigned long end)
{
	return (struct wk_walk){
		.sp = (unsigned long)(link + 1),
		.end = end,
		.saved_at = (unsigned long)&link->bp,
		.ip = link->ip,
		.key = link->ip,
	};
}

static __always_inline unsigned long wk_word_at(unsigned long address)
{
	return READ_ONCE_NOCHECK(*(const unsigned long *)address);
}

/*
 * The end of this CPU's stack for interrupts, which is THREAD_SIZE bytes large and never moves. 0:
 * not known yet.
 */
DECLARE_PER_CPU(unsigned long, wk_interrupt_stack_end);

/*
 * Finds the stack that the word at @sp is on: the task's, or one of interrupts or exceptions of
 * this CPU. Returns its end and sets *@begin; 0: unknown.
 */
unsigned long wk_find_stack(unsigned long sp, unsigned long *begin);

/*
 * Returns the end of the stack that @link is on, if that is the task's or the one for interrupts;
 * else, and if the latter is not known yet, 0.
 */
static __always_inline unsigned long wk_common_end(const struct wk_link *link)
{
	const unsigned long sp = (unsigned long)(link + 1);
	unsigned long end = (unsigned long)task_stack_page(current) + THREAD_SIZE;

	if (likely(end - sp < THREAD_SIZE))
		return end;
	end = this_cpu_read(wk_interrupt_stack_end);
	return likely(end - sp < THREAD_SIZE) ? end : 0;
}

/*
 * Goes to the stack from which the kernel came to this one: the word at the stack pointer points
 * there. @distance, @saved: see wk_row_distance() and wk_row_saved(). Returns false if the walk
 * cannot go on.
 */
bool wk_change_stack(struct wk_walk *walk, long distance, long saved);

/*
 * Goes to an instruction of the kernel that was interrupted, perhaps on another stack. @at: where
 * its registers are. Returns false if the walk cannot go on.
 */
bool wk_interrupted(struct wk_walk *walk, unsigned long at);

/*
 * As wk_interrupted(), for registers that are @distance bytes from the stack pointer, and may be
 * those of an interrupted program, or not on the stack: then returns false.
 */
bool wk_kernel_interrupted(struct wk_walk *walk, long distance);

/*
 * Goes to the caller of a function that has aligned its stack. The function's frame pointer must
 * point into its frame. @distance: bytes from there to the word that has the previous stack
 * pointer. Returns false if the walk cannot go on.
 */
bool wk_leave_aligned(struct wk_walk *walk, long distance);

enum wk_stepped { WK_STEPPED_ON, WK_STEPPED_END, WK_STEPPED_UNKNOWN };

/*
 * Goes to the caller of a frame whose row is special. The caller of a frame whose base is the frame
 * pointer must be on the same stack.
 */
static __always_inline enum wk_stepped wk_walk_step(struct wk_walk *walk, wk_row row)
{
	const enum wk_row_kind kind = wk_row_kind(row);
	const long distance = wk_row_distance(row);

	if (likely(kind == WK_ROW_BASED)) {
		const unsigned long sp = wk_word_at(walk->saved_at) + distance;
		const long saved = wk_row_saved(row, WK_ROW_BASED);

		if (unlikely(sp <= walk->sp || sp > walk->end ||
			     sp - walk->sp < (saved ? -saved : sizeof(long))))
			return WK_STEPPED_UNKNOWN;
		walk->sp = sp;
		if (saved)
			walk->saved_at = sp + saved;
		walk->ip = walk->key = wk_word_at(sp - sizeof(long));
		return WK_STEPPED_ON;
	}
	if (likely(kind == WK_ROW_REGS)) {
		const unsigned long at = walk->sp + distance;
		struct wk_walk copy = *walk;

		if (unlikely(at + sizeof(struct pt_regs) > walk->end))
			return WK_STEPPED_UNKNOWN;
		/* An interrupted program ends the stack. */
		if (likely(wk_word_at(at + offsetof(struct pt_regs, cs)) & 3))
			return WK_STEPPED_END;
		if (!wk_interrupted(&copy, at))
			return WK_STEPPED_UNKNOWN;
		*walk = copy;
		return WK_STEPPED_ON;
	}
	if (distance) {
		struct wk_walk copy = *walk;

		if (distance < 0 ? !wk_leave_aligned(&copy, distance) :
				   !wk_change_stack(&copy, distance,
						    wk_row_saved(row, WK_ROW_OTHER)))
			return WK_STEPPED_UNKNOWN;
		*walk = copy;
		return WK_STEPPED_ON;
	}
	return WK_STEPPED_END;
}

#endif /* WK_STACK_WALK_H */
