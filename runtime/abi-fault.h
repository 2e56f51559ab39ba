/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Included by abi.h: the limits of advice, and its faults. */
#ifndef WEFT_ABI_FAULT_H
#define WEFT_ABI_FAULT_H

#include <linux/types.h>

/*
 * The budget: how long an aspect's advice may run at a hit, in nanoseconds. 0 in a request stands
 * for the budget in the aspect's header; 0 in the header stands for weft.ko's parameter budget_us.
 * NONE: no limit. Other budgets are from LEAST to MOST. DEFAULT is the default of budget_us.
 */
#define WEFT_BUDGET_NONE (~0ull)
#define WEFT_BUDGET_LEAST 100000ull
#define WEFT_BUDGET_MOST 60000000000ull
#define WEFT_BUDGET_DEFAULT 1000000ull

/*
 * The share: how much of a CPU the aspect's advice may take, in percent, 1 to 100. 0 in a request
 * stands for the share in the aspect's header; 0 in the header stands for weft.ko's parameter
 * share_percent. NONE: no limit. DEFAULT is the default of share_percent.
 */
#define WEFT_SHARE_NONE (~0u)
#define WEFT_SHARE_DEFAULT 10

/* Faults that are not exceptions of the processor. Their numbers are above those of exceptions. */
enum weft_limit {
	WEFT_FAULT_BUDGET = 64, /* advice ran for longer than its budget */
	/*
	 * the aspect's advice took more than its share of a CPU; the advice was not ended at that
	 * hit
	 */
	WEFT_FAULT_SHARE = 65,
	/* a WARN() in the advice's own code; the advice was not ended at that hit */
	WEFT_FAULT_WARNING = 66,
};

/*
 * WEFT_IOC_FAULT: describes the first fault in an aspect's advice since its last weave. weft.ko
 * unweaves the aspect after a fault. The advice was ended at that hit, unless @trap is
 * WEFT_FAULT_SHARE, WEFT_FAULT_WARNING or WEFT_TRAP_UNBALANCED, or @oops or @runs is 1. Errors:
 * ENOENT: there is no such aspect
 * ENODATA: there was no fault
 */
#define WEFT_FAULT_FRAMES 16
struct weft_fault {
	char name[WEFT_NAME_MAX]; /* in */
	__u64 count;   /* number of faults since the last weave */
	__u64 time;    /* nanoseconds of the kernel's CLOCK_MONOTONIC */
	/*
	 * Nanoseconds from ->time until no hit ran the aspect's advice any more (disabled_after),
	 * and until the aspect was unwoven (unwoven_after); 0: not yet.
	 */
	__u64 disabled_after, unwoven_after;
	__u64 address; /* the address whose access caused a page fault; other faults: 0 */
	__u64 code;    /* the error code of the exception */
	__u32 trap; /* the exception's number, enum weft_limit, or WEFT_TRAP_UNBALANCED */
	/*
	 * 1: the advice could not be left, because it was in a kernel function that it had called,
	 * and the fault became an oops
	 */
	__u32 oops;
	/*
	 * WEFT_FAULT_BUDGET: nanoseconds that the advice had run, and its budget. WEFT_FAULT_SHARE:
	 * nanoseconds of the CPU's last second that the advice had taken, and its share in
	 * nanoseconds.
	 */
	__u64 taken, limit;
	/* nanoseconds from ->time until the advice was left; 0: left at once, or not at all */
	__u64 left_after;
	/* by how much the advice had changed the preemption count; weft.ko has undone that */
	__s32 preempts;
	__u32 cpu, pid, tgid;
	/*
	 * Indices into the aspect's tables. For a block: WEFT_JOINPOINT_START or
	 * WEFT_JOINPOINT_END, and the number of advices.
	 */
	__u32 joinpoint, advice;
	char comm[16];
	char kind[160]; /* what kind of fault it was, in words */
	char file[64];  /* name of the author's XML file */
	/*
	 * line of @file that faulted; if that is unknown, the first line of the advice's body, or 0
	 * for a start or end block
	 */
	__u32 line;
	/*
	 * 1: the advice is still running, in a function of the kernel that it called, and could not
	 * be left yet (only for WEFT_FAULT_BUDGET)
	 */
	__u32 runs;
	/*
	 * Live addresses: of the instruction that faulted, then the return addresses down to the
	 * advice's entry. The first is not in text if the advice has jumped to a wild address. If
	 * there are more than WEFT_FAULT_FRAMES, these are the innermost. But if none of those is
	 * in the aspect's own code, the last one here is replaced with the innermost that is.
	 */
	__u32 nr_frames;
	/*
	 * index of the innermost frame in the aspect's own code; @nr_frames or more: no frame here
	 * is
	 */
	__u32 inner;
	__u64 frames[WEFT_FAULT_FRAMES];
	char stack[1024]; /* the frames, one a line: "symbol+offset/size [module]" */
};

#endif /* WEFT_ABI_FAULT_H */
