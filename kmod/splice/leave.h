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
 * lists (late-tables.h).
 */
#ifndef WK_LEAVE_H
#define WK_LEAVE_H

#include <linux/types.h>

struct pt_regs;
struct wk_attachment;

enum { WK_LEAVE_DEPTH = 32 };

/* The way from a fault to the trampoline of the advice that runs. Live addresses. */
struct wk_leave {
	struct wk_attachment *attachment; /* of the advice that runs */
	/* where the trampoline goes on, and %rsp and %rbp there */
	unsigned long ip, sp, bp;
	/*
	 * where the fault is, and the return addresses from there to the trampoline, without its
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

/*
 * Finds the advice of this CPU and context that was running at @regs, the registers at a fault;
 * false: none was. Any context; takes no lock. @fetch: the fault is that of fetching the
 * instruction at regs->ip, so that nothing of it has run.
 */
bool wk_leave_find(const struct pt_regs *regs, bool fetch, struct wk_leave *ret);

/*
 * Changes @regs so that the trampoline goes on, as if the advice had returned. Interrupts are on if
 * they are known to have been on at the hit; else they are as they are. @preempts: how often
 * the caller's callers have disabled preemption since the fault. Returns by how much the advice had
 * changed the preemption count, which is undone.
 */
int wk_leave(struct pt_regs *regs, const struct wk_leave *leave, int preempts);

/*
 * Gives the guard back for a task that dies in advice; afterwards, advice runs on this CPU again.
 * In the task's own context.
 */
void wk_leave_guard(void);

#endif /* WK_LEAVE_H */
