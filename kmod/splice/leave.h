/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Leaving advice from the middle, after a fault: where the trampoline goes on, and with which
 * registers.
 *
 * A trampoline calls advice by a plain call, and has saved before what C may change and the hit
 * needs (runtime/trampoline.h). So advice is left by emulating the return of that call. The
 * kernel's unwinder knows the way from the fault to the call, with %rsp and %rbp. The other
 * registers that C functions preserve are as they were: aspects are compiled so that they never
 * change them (weaver/module/kbuild.c). That holds only while no function is on the way but the
 * aspect's own and those of the kernel that leave these registers alone, which the aspect's module
 * lists (module-tables.h).
 *
 * Start and end blocks are left in the same way. Their caller is a function of weft.ko
 * (block-call.h).
 */
#ifndef WK_LEAVE_H
#define WK_LEAVE_H

#include <linux/types.h>

struct pt_regs;
struct weft_aspect;
struct wk_attachment;
struct wk_block_call;
struct wk_fault;

enum { WK_LEAVE_DEPTH = 32 };

/* The way from a fault to the call of what faults. Live addresses. */
struct wk_leave {
	/* of the advice that runs; NULL: it is a start or end block, ->block */
	struct wk_attachment *attachment;
	struct wk_block_call *block;
	/* its aspect's */
	const struct weft_aspect *module;
	struct wk_fault *fault; /* fault.h; opaque here */
	/* where its caller goes on, and %rsp and %rbp there */
	unsigned long ip, sp, bp;
	/*
	 * where the fault is, and the return addresses from there to that call, without its
	 * own; frames[0] is no text if the advice has jumped to nowhere
	 */
	unsigned long frames[WK_LEAVE_DEPTH];
	unsigned int nr;
	/* the innermost of them that is in the aspect; nr: none */
	unsigned int inner;
	bool traced; /* a function in between has a return address of a tracer's in the stack */
	/* all registers are known at ->ip: the advice can be left */
	bool possible;
};

/* Can advice be left in this kernel? */
bool wk_leave_supported(void);

/* Can something run now that is left at a fault? Any context; costs two loads. */
bool wk_leave_may(void);

/*
 * Finds the advice of this CPU and context, or the block, that was running at @regs, the registers
 * at a fault; false: none was. Any context; takes no lock. @fetch: the fault is that of fetching
 * the instruction at regs->ip, so that nothing of it has run.
 */
bool wk_leave_find(const struct pt_regs *regs, bool fetch, struct wk_leave *ret);

/*
 * Changes @regs so that the caller goes on, as if what faults had returned; from a block, -EFAULT.
 * Interrupts are on if they are known to have been on at the hit, and after a block; else they are
 * as they are. @preempts: how often the caller's callers have disabled preemption since the fault.
 * Returns by how much it had
 * changed the preemption count, which is undone.
 */
int wk_leave(struct pt_regs *regs, const struct wk_leave *leave, int preempts);

/*
 * Gives the guard back for a task that dies in advice; afterwards, advice runs on this CPU again.
 * In the task's own context.
 */
void wk_leave_guard(void);

#endif /* WK_LEAVE_H */
