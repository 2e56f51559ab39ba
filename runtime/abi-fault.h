/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A part of abi.h: what limits advice, and its faults.
 */
#ifndef WEFT_ABI_FAULT_H
#define WEFT_ABI_FAULT_H

#include <linux/types.h>

/*
 * How long an aspect's advice may run at a hit, in nanoseconds; 0: who writes it leaves that to the
 * aspect, and the aspect to weft.ko.
 */
#define WEFT_BUDGET_NONE (~0ull) /* for any time */
#define WEFT_BUDGET_LEAST 100000ull
#define WEFT_BUDGET_MOST 60000000000ull
#define WEFT_BUDGET_DEFAULT 1000000ull /* weft.ko's */

/* How much of a CPU it may take: percent, 1 to 100; 0: as above. */
#define WEFT_SHARE_NONE (~0u)
#define WEFT_SHARE_DEFAULT 10

/* What is noted as a fault, but is no exception of the processor's: its number is above theirs. */
enum weft_limit {
	WEFT_FAULT_BUDGET = 64, /* advice ran for longer than its budget */
	/* the aspect's advice took more than its share of a CPU; it was not ended at that hit */
	WEFT_FAULT_SHARE = 65,
	/* a WARN() in the advice's own code; it was not ended at that hit */
	WEFT_FAULT_WARNING = 66,
};

/*
 * WEFT_IOC_FAULT: describes the first fault in an aspect's advice since its last weave. The advice
 * was ended at that hit, and the aspect is unwoven by itself. ENOENT no such aspect, ENODATA there
 * was no fault.
 */
#define WEFT_FAULT_FRAMES 16
struct weft_fault {
	char name[WEFT_NAME_MAX]; /* in */
	__u64 count;   /* of all faults since the last weave */
	__u64 time;    /* nanoseconds of the kernel's CLOCK_MONOTONIC */
	/*
	 * nanoseconds from then until no hit ran the aspect's advice any more, and until it was
	 * unwoven; 0: not yet
	 */
	__u64 disabled_after, unwoven_after;
	__u64 address; /* that a page fault was for; else 0 */
	__u64 code;    /* the error code of the exception */
	__u32 trap; /* the exception's number, enum weft_limit, or WEFT_TRAP_UNBALANCED */
	/* 1: it could not be left (a function of the kernel that advice called): it was an oops */
	__u32 oops;
	/*
	 * of WEFT_FAULT_BUDGET: nanoseconds that it had run, and the budget; of WEFT_FAULT_SHARE:
	 * nanoseconds of the CPU's last second, and those that are its share
	 */
	__u64 taken, limit;
	__u64 left_after; /* nanoseconds from ->time until it could be left; 0: that was at once */
	__s32 preempts; /* by how much the advice had changed the preemption count; undone */
	__u32 cpu, pid, tgid;
	/* indices into the aspect's tables; of a block: WEFT_JOINPOINT_START or _END, and none */
	__u32 joinpoint, advice;
	char comm[16];
	char kind[160]; /* the exception in words */
	char file[64];  /* the author's XML */
	__u32 line;	/* that faulted; if unknown, the body's first one; 0: unknown, of a block */
	/* of WEFT_FAULT_BUDGET: 1: it runs on, in a function of the kernel that it called */
	__u32 runs;
	/*
	 * live: the instruction, then the return addresses down to the advice's entry; the first
	 * may be no text, if the advice has jumped to nowhere
	 */
	__u32 nr_frames;
	__u32 inner; /* index of the innermost one in the aspect's own code */
	__u64 frames[WEFT_FAULT_FRAMES];
	char stack[1024]; /* the same as "symbol+offset/size [module]\n" */
};

#endif /* WEFT_ABI_FAULT_H */
