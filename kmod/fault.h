/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Faults in advice, and in start and end blocks. A fault ends the advice at that hit, but does no
 * harm to the kernel: execution goes on in the trampoline, after the call of the advice
 * (splice/leave.h). Some faults do not end the advice: a WARN(), a share that is used up, advice
 * that is unbalanced. The first fault of a weave is noted, and all advice of the aspect is closed,
 * so that it does not run any more (splice/entry-close.h); then a work item unweaves the aspect.
 * Further faults until then are only counted.
 *
 * A fault in a function of the kernel that advice has called can, in general, not be handled so: it
 * becomes an oops, as without weft.ko. It is noted, too, and the aspect is unwoven. Before the
 * oops, the log says which advice was running.
 */
#ifndef WK_FAULT_H
#define WK_FAULT_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/sched.h>
#include <linux/types.h>

#include "runtime/abi.h"
#include "splice/entry-close.h"
#include "splice/fault-hook.h"
#include "splice/leave.h"
#include "splice/leave-around.h"

struct weft_aspect;

/*
 * The first fault of a weave. Written where the fault is handled, in any context; afterwards only
 * wk_fault_left() changes it.
 */
struct wk_fault_record {
	u8 trap;		 /* X86_TRAP_*, enum weft_limit or WEFT_TRAP_UNBALANCED */
	bool left; /* the advice was left; false: the fault became an oops, or the advice runs on */
	/* stack pointer of the hit (wk_leave.sp): hits that interrupt each other differ in it */
	unsigned long sp;
	int preempts;		 /* by how much advice had changed the preemption count */
	/* the exception's error code; of WEFT_TRAP_UNBALANCED: WEFT_UNBALANCED_*s */
	unsigned long code;
	unsigned long address;	 /* of a page fault: the address that was accessed */
	u64 taken, limit;	 /* nanoseconds, if ->trap is an enum weft_limit */
	u64 left_after;		 /* weft_fault.left_after, nanoseconds */
	u64 time;		 /* CLOCK_MONOTONIC, nanoseconds */
	u32 cpu, pid, tgid;
	char comm[TASK_COMM_LEN];
	/* indices of the joinpoint and its advice; for a block: WEFT_JOINPOINT_*, nr_advices */
	u32 joinpoint, advice;
	/*
	 * ->nr: number of elements of ->frames. ->inner: index of the innermost frame in the
	 * aspect's code; ->nr or more: no element is.
	 */
	unsigned int nr, inner;
	u32 passed_frames; /* see struct wk_leave */
	/*
	 * of a WARN(): its line in the aspect's file, which the kernel knows. The compiler's table
	 * of lines may not have the instruction. 0: not known
	 */
	u32 line;
	unsigned long frames[WEFT_FAULT_FRAMES];
};

struct wk_fault {
	atomic_t state;		/* enum in fault.c: is ->first valid? */
	atomic64_t count;	/* number of faults since the last weave began */
	/* one of these faults is WEFT_TRAP_UNBALANCED; accessed by WRITE_ONCE() and READ_ONCE() */
	bool unbalanced;
	struct wk_fault_record first;
	/* unweaves the aspect; returns false if it is not woven. Process context, under wk_mutex */
	bool (*unweave)(struct wk_fault *fault);
	bool handled;		/* ->unweave was called; under wk_mutex */
	/* on the list of watched faults; empty: neither woven nor retiring */
	struct list_head watched;
	const struct weft_aspect *module;
	struct wk_entries entries; /* the entries of the aspect's advice */
	struct wk_arounds arounds; /* the functions of its around-advice */
	/* nanoseconds from the first fault until this had happened to the advice; 0: not yet */
	u64 disabled_after, unwoven_after;
};

/* Initializes @fault for @module. NULL: the module was unloaded, and its faults are forgotten. */
void wk_fault_create(struct wk_fault *fault, const struct weft_aspect *module);

/*
 * wk_fault_begin() is called at the beginning of a weave, before the start block; it forgets the
 * faults of the last weave. wk_fault_end() is called at the end of the retirement, when no task can
 * be in advice or the end block any more. After a fault a work item calls @unweave. Under wk_mutex.
 */
void wk_fault_begin(struct wk_fault *fault, bool (*unweave)(struct wk_fault *fault));
void wk_fault_end(struct wk_fault *fault);

/*
 * Notes that the advice of @leave has exceeded a limit: @event->trap is of enum weft_limit. If the
 * advice was left, @preempts is by how much it had changed the preemption count. Any context, NMI
 * too.
 */
void wk_fault_limit(const struct wk_fault_event *event, const struct wk_leave *leave, int preempts);

/*
 * Notes that the hit of @leave, which had exceeded its budget before, could be left only now. Does
 * nothing if the fault that was noted is of another hit, such as one that interrupted this hit.
 */
void wk_fault_left(const struct wk_leave *leave, int preempts);

/* The number of faults since the last weave began; any context. */
u64 wk_fault_count(const struct wk_fault *fault);

/* The first fault since the last weave began; NULL: there was none. */
const struct wk_fault_record *wk_fault_first(const struct wk_fault *fault);

/*
 * Fills @ret, the answer to WEFT_IOC_FAULT, from @fault->first. -ENODATA: there was no fault. Under
 * wk_mutex.
 */
int wk_fault_describe(const struct wk_fault *fault, struct weft_fault *ret);

/*
 * Notes that the advice of @attachment has returned unbalanced: @what are WEFT_UNBALANCED_*s.
 * @preempts: by how much it had changed the preemption count. Any context.
 */
void wk_fault_unbalanced(struct wk_attachment *attachment, u32 what, int preempts);

/* Was wk_fault_unbalanced() called since the last weave began? Any context. */
bool wk_fault_is_unbalanced(const struct wk_fault *fault);

int wk_fault_init(void);
void wk_fault_deinit(void);

#endif /* WK_FAULT_H */
