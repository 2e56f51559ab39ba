/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interface between the weaver, weft.ko and the aspect modules, as plain data. It is included
 * by the weaver (user space), by kmod/ and by every generated aspect (kernel). All fields are
 * scalars of fixed width; there are no kernel pointers.
 *  1. The sections of an aspect module (.ko), written at compile time. The weaver reads them from
 *     the file, the kernel reads them from memory.
 *  2. The requests of the device /dev/weft (ioctl): text, plans, states, records.
 *
 * Each address says which address space it is in: a *link* address is an address in an image, which
 * is vmlinux or a module's file, a *live* address is one in the running kernel. The text of an
 * image consists of parts (struct weft_text_part). The kernel places each part as a whole, hence
 * live = link - link(part) + live(part). For vmlinux the difference is KASLR.
 */
#ifndef WEFT_ABI_H
#define WEFT_ABI_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define WEFT_ABI_VERSION 23

#define WEFT_NAME_MAX 56 /* bytes of an aspect's name with its NUL; modules' names fit, too */
#define WEFT_BUILD_ID_MAX 20 /* bytes of a GNU build-id */
#define WEFT_INSN_MAX 15     /* bytes of the longest x86 instruction */
#define WEFT_JUMP_SIZE 5 /* bytes of a near jump or call */
#define WEFT_SHORT_SIZE 2    /* bytes of a short jump, which reaches from -128 to +127 */
#define WEFT_DISPLACED_MAX 24   /* bytes of the longest displaced range */
#define WEFT_DONOR_MIN 10     /* bytes of the shortest donor: a jump and a slot */

/* ---- 1. the sections of an aspect's module --------------------------------------------------- */

#define WEFT_SECTION_ASPECT ".weft.aspect"	   /* one struct weft_aspect_header */
#define WEFT_SECTION_PARTS ".weft.parts"	   /* struct weft_text_part[] */
#define WEFT_SECTION_JOINPOINTS ".weft.joinpoints" /* struct weft_joinpoint[] */
#define WEFT_SECTION_STRINGS ".weft.strings"	   /* NUL-terminated; offset 0 is "" */

#define WEFT_ASPECT_MAGIC 0x54464557u /* "WEFT" in memory */

struct weft_aspect_header {
	__u32 magic;
	__u32 abi;
	char name[WEFT_NAME_MAX]; /* the name of the aspect and of its module */
	__u32 nr_joinpoints;
	__u32 nr_advices;
	__u32 nr_parts;
	__u32 flags; /* WEFT_ASPECT_* */
	/* hash of all inputs of the module; distinguishes two modules of one name */
	__u64 content;
	__u32 share; /* WEFT_SHARE_* */
	__u32 reserved;
	__u64 budget; /* WEFT_BUDGET_* */
};

#define WEFT_ASPECT_FILTERED 1u /* the aspect's advice tests the filter of the weave */
/* parts whose module is not loaded are woven when it is loaded, as with WEFT_WEAVE_PENDING */
#define WEFT_ASPECT_PENDING 2u

#include "abi-part.h"

/* How exactly a shadow is known (docs/database.md). The values are ordered from best to worst. */
enum weft_precision {
	WEFT_PRECISION_EXACT = 0,  /* the compiler has labelled the instruction */
	WEFT_PRECISION_COLUMN = 1, /* a row of the line table has exactly this line and column */
	/* the instruction does what the access does, by its operand; it has no label */
	WEFT_PRECISION_OPERAND = 2,
	WEFT_PRECISION_LINE = 3,   /* the line's first statement instruction */
	WEFT_PRECISION_SYMBOL = 4, /* a function's entry, or symbol+offset, from the symbol table */
	WEFT_PRECISION_OPTIMIZED_OUT = 5, /* no instruction is left */
};

/*
 * When an advice runs, relative to the instruction at the shadow. Advices nest: before-advice and
 * around-advice run in the order of weaving, after-advice in the reverse order. At one instruction
 * the order is: RETURNED (reversed), BEFORE, AROUND, LEAVING (reversed), CALLING, AROUND_CALL, the
 * instruction, AFTER (reversed). The order of weaving is the order in which the aspects were woven;
 * within an aspect, the order of the joinpoints' indices.
 */
enum weft_when {
	WEFT_BEFORE = 0,   /* before the instruction */
	WEFT_AFTER = 1,	   /* after the instruction */
	WEFT_RETURNED = 2, /* before the instruction, after the call that returns to it */
	/* before the instruction, after the function or block that the instruction leaves */
	WEFT_LEAVING = 3,
	/*
	 * Right before a call whose return address is also reached without the call. No advice runs
	 * there: the call is noted for the advice at its return address (call-table.h).
	 */
	WEFT_CALLING = 4,
	/*
	 * instead of the function of which the instruction is the first: the advice decides whether
	 * the function runs (advice.h, struct weft_around)
	 */
	WEFT_AROUND = 5,
	/*
	 * instead of the call, or jump to another function, that is the instruction: the advice
	 * decides whether what is called runs
	 */
	WEFT_AROUND_CALL = 6,
	WEFT_WHENS
};

/*
 * One advice at one shadow. Two advices at one shadow are two entries that follow each other. The
 * table ascends by part, text_offset, advice and when. "strings:" stands for an offset in the
 * section WEFT_SECTION_STRINGS, at which the text begins.
 */
struct weft_joinpoint {
	__u64 text_offset; /* link address of the shadow - link address of its part (abi-part.h) */
	__u32 symbol;	   /* strings: the symbol that holds the shadow */
	__u32 symbol_offset;
	__u32 what;	/* strings: the joinpoint's description, "sk_buff.destructor call" */
	__u32 function; /* strings: the function whose source contains the joinpoint */
	__u32 file;	/* strings: the source file, as the line table names it */
	__u32 line;
	__u32 column;
	/*
	 * WR_BIT()s of the caller-saved registers, and the flags, that are live at the shadow;
	 * WEFT_LIVE_UNKNOWN is always safe
	 */
	__u32 live;
	__u16 advice; /* index of the advice */
	__u8 precision : 4; /* enum weft_precision */
	__u8 when : 3;	    /* enum weft_when */
	__u8 required : 1;  /* 1: if this shadow cannot be spliced, the aspect cannot be woven */
	__u8 before;	/* bytes from the start of the shadow's displaced range to the shadow */
	/*
	 * Length in bytes of the displaced range; 0: none is known. A jump may cover it, or a
	 * springboard if @slot is not 0, or a trap if it is a single instruction. The shadow is one
	 * of its instructions. If @before equals @displaced, the shadow is the instruction right
	 * after the range instead: its own bytes belong to another owner or must stay in place, and
	 * are not touched.
	 */
	__u8 displaced;
	/* enum weft_refusal, if the weaver found a reason when it compiled the aspect */
	__u8 refusal;
	/* not 0: the splice is a short jump to a slot, this many bytes from the jump's end */
	__s16 slot;
	/*
	 * Sizes in bytes, up to the next symbol, of the functions that contain the displaced range
	 * and the slot. Set only if the debug information says that GCC compiled the function from
	 * C, so that all branches into it were found in the image; else 0. weft.ko uses them where
	 * it cannot recognize compiled C by itself (kmod/text/single-entry.c).
	 */
	__u32 c_size;
	__u32 slot_c_size;
	__u16 part; /* index of the part that the shadow is in */
	__u16 access; /* 1: the joinpoint is an access of a member; else 0 */
	__u16 tracepoint; /* 1: the symbol is the function of a tracepoint, to be enabled; else 0 */
	/*
	 * For an advice that runs only after a call that was noted: the bytes from the call to its
	 * return address, both in the CALLING entry at the call and in the RETURNED entry at the
	 * return address. Neither is spliced without the other. 0: all other entries.
	 */
	__u16 returns;
};

/* ---- 2. the requests of the device ----------------------------------------------------------- */

/*
 * Errors that any request may return, besides its own. ENOTTY: the request is unknown. EFAULT: the
 * argument or a buffer is not the caller's memory. ENOMEM. EINTR: the caller is being killed.
 */

#define WEFT_DEVICE "/dev/weft"

/* Why a shadow cannot be spliced. One value, one reason; docs/refusals.md explains each. */
enum weft_refusal {
	WEFT_REFUSAL_NONE = 0,
	/* the address is not text of the kernel or of a loaded module, or is init text */
	WEFT_REFUSAL_NOT_TEXT = 1,
	WEFT_REFUSAL_BOUNDARY = 2, /* not the first byte of an instruction */
	WEFT_REFUSAL_CHANGED = 3,  /* the live bytes differ from the plan's */
	/* the kernel forbids probing here: noinstr, NOKPROBE, entry code */
	WEFT_REFUSAL_BLACKLISTED = 4,
	WEFT_REFUSAL_FTRACE = 5,	 /* an ftrace site owns these bytes */
	WEFT_REFUSAL_JUMP_LABEL = 6,	 /* a jump label owns these bytes */
	WEFT_REFUSAL_STATIC_CALL = 7,	 /* a static call owns these bytes */
	WEFT_REFUSAL_ALTERNATIVE = 8,	 /* an SMP alternative (lock prefix) owns these bytes */
	WEFT_REFUSAL_KPROBE = 9,	 /* a kprobe sits here */
	/*
	 * an int3 of an unknown owner, or an instruction whose handler uses its address (int3, ud2)
	 */
	WEFT_REFUSAL_BREAKPOINT = 10,
	WEFT_REFUSAL_UNDECODABLE = 11,	 /* the kernel's decoder does not know the instruction */
	WEFT_REFUSAL_UNRELOCATABLE = 12, /* cannot run out of line: see docs/refusals.md */
	WEFT_REFUSAL_ENDBR = 13,	 /* an endbr: it must stay the landing pad */
	/* a fault in this instruction is handled by its address (__ex_table) */
	WEFT_REFUSAL_EXCEPTION = 14,
	WEFT_REFUSAL_RANGE = 15, /* no trampoline memory within reach */
	/* weft's own code, or code on the path of its trap handler */
	WEFT_REFUSAL_OWN_TEXT = 16,
	/*
	 * the aspect does not have the joinpoint that the plan names, or has it at another address
	 */
	WEFT_REFUSAL_JOINPOINT = 17,
	/* the plan's splices are not in ascending order, or one joinpoint has two */
	WEFT_REFUSAL_ORDER = 18,
	WEFT_REFUSAL_KIND = 19,	 /* a splice of a kind or length that is not allowed here */
	/*
	 * control may enter the displaced range after its first instruction, or this cannot be
	 * excluded
	 */
	WEFT_REFUSAL_BRANCH_TARGET = 20,
	WEFT_REFUSAL_OVERLAP = 21, /* another splice covers a part of the displaced range */
	/* the springboard's slot is out of reach, neither padding nor in a donor, or taken */
	WEFT_REFUSAL_SLOT = 22,
	/* after-advice of an instruction that does not continue at the next one */
	WEFT_REFUSAL_GOES_ELSEWHERE = 23,
	/* after-advice of a call that returns to another function */
	WEFT_REFUSAL_TAIL_CALL = 24,
	/*
	 * after-advice of a call whose return address is also reached without the call, and either
	 * the call or its return address cannot be spliced
	 */
	WEFT_REFUSAL_JOINS = 25,
	/*
	 * after-advice of something without an end: an inlined instance, a call that never returns
	 */
	WEFT_REFUSAL_NO_END = 26,
	/*
	 * the shadow is in a module that is not loaded, or that has another build-id than the
	 * aspect expects
	 */
	WEFT_REFUSAL_MODULE = 27,
	/*
	 * around-advice of a function whose arguments or result are not all in registers, or whose
	 * prototype is not known
	 */
	WEFT_REFUSAL_SIGNATURE = 28,
	/*
	 * around-advice that is not of a call: the instruction is not the first of a function
	 * (after its endbr and ftrace's bytes), or code inside the function may jump back to it
	 */
	WEFT_REFUSAL_NOT_ENTRY = 29,
	/* around-advice of a live patch's function: the patch may go while a task is inside */
	WEFT_REFUSAL_LIVE_PATCH = 30,
	/*
	 * around-advice of an instruction that is not a call which weft can make itself: it is no
	 * call, its target cannot be computed, or user memory may be open there
	 */
	WEFT_REFUSAL_NOT_CALL = 31,
	/* after-advice of an instruction of a program: an uprobe runs advice before one only */
	WEFT_REFUSAL_PROGRAM = 32,
	WEFT_REFUSAL_COUNT
};

/* What is written over a shadow. */
enum weft_splice_kind {
	WEFT_SPLICE_TRAP = 0, /* an int3 over the first byte of one instruction */
	/*
	 * a jump to the trampoline over a displaced range of 5 bytes or more; the bytes after the
	 * jump are filled with int3
	 */
	WEFT_SPLICE_JUMP = 1,
	/* a direct call, redirected to the trampoline, which then jumps to the original target */
	WEFT_SPLICE_CALL = 2,
	/*
	 * a short jump over a displaced range of 2 bytes or more, to a slot that holds the jump to
	 * the trampoline
	 */
	WEFT_SPLICE_SPRINGBOARD = 3,
	WEFT_SPLICE_KINDS
};

/*
 * The value of a live mask that means that all caller-saved registers and the flags may still be
 * read, at the shadow or after it. (Live masks consist of WR_BIT()s of frame.h.)
 */
#define WEFT_LIVE_UNKNOWN 0xffffffffu

/* WEFT_IOC_INFO: version and addresses. */
struct weft_info {
	__u32 abi; /* out: WEFT_ABI_VERSION of weft.ko */
	__u32 nr_aspects;
	__u64 text;  /* out: live address of _text */
	__u64 etext; /* out: live address of _etext */
	/*
	 * Counts since weft.ko was loaded. out: kprobes that were refused because their instruction
	 * is displaced, and kprobes that were not optimized because their function holds splices.
	 */
	__u64 kprobes_refused, kprobes_unoptimized;
};

/*
 * WEFT_IOC_TEXT: copies pieces of the live text, one after the other. With WEFT_TEXT_ORIGINAL,
 * bytes that weft itself or kprobes wrote are replaced with the original ones. EFAULT: a piece is
 * not text of the kernel or of one module, or the buffer cannot be written; EINVAL: no pieces;
 * E2BIG: too many pieces or bytes.
 */
/* Limits of one request: bytes of all pieces together, and number of pieces. */
#define WEFT_TEXT_MAX 65536u
#define WEFT_PIECES_MAX 4096u
#define WEFT_TEXT_ORIGINAL 1u
struct weft_piece {
	__u64 address; /* live address */
	__u32 size;
	__u32 reserved;
};
struct weft_text {
	__u64 pieces; /* in: user address of struct weft_piece[] */
	__u64 buffer; /* in: user address to which the bytes are copied */
	__u32 nr_pieces;
	__u32 flags; /* in: WEFT_TEXT_* */
};

/*
 * One element of a plan: one joinpoint entry of the aspect that is to be spliced. A plan is sorted
 * by address, then by the joinpoint's own address, then by its index. Elements of one address are
 * one splice: their kind, length and bytes are equal. weft.ko checks each member; docs/safety.md
 * says how.
 */
struct weft_splice {
	/*
	 * live: start of the displaced range. The joinpoint's instruction is in the range, or right
	 * after it.
	 */
	__u64 address;
	__u32 joinpoint; /* index into the aspect's table */
	__u8 kind;	 /* enum weft_splice_kind */
	/* bytes of whole instructions that the splice covers: its displaced range */
	__u8 length;
	/*
	 * SPRINGBOARD: bytes from the end of the short jump to the slot; other kinds: 0. A slot
	 * that is not in padding is in a donor: the shortest displaced range of at least
	 * WEFT_DONOR_MIN bytes in the same function that begins five bytes before the slot. The
	 * donor's instructions move to a trampoline.
	 */
	__s16 slot;
	__u32 reserved;
	__u32 refusal;	 /* out: enum weft_refusal */
	/* the live bytes that the plan was made from; @length of them are valid */
	__u8 old[WEFT_DISPLACED_MAX];
};

/*
 * The filter of a weave: all conditions in @asks must hold. Only for aspects with the flag
 * WEFT_ASPECT_FILTERED. PID: the process @pid, with all its threads. BELOW: the descendants of @pid
 * instead of @pid itself.
 */
#define WEFT_FILTER_PID 1u
#define WEFT_FILTER_BELOW 2u
#define WEFT_FILTER_UID 4u
#define WEFT_FILTER_COMM 8u
struct weft_filter {
	__u32 asks; /* WEFT_FILTER_* */
	__u32 pid;  /* in the pid namespace of the caller */
	__u32 uid;  /* in the kernel's initial user namespace */
	char comm[16];
};

/*
 * WEFT_IOC_WEAVE: verifies the plan, then applies all of it or nothing, in the kernel and in all
 * modules together. All splices are written at once. Advice that has a start time is skipped by a
 * jump in the trampoline until then. Errors:
 * ENOENT: no such aspect module is loaded, or a tracepoint that the aspect needs was not found
 * ESTALE: another version of the module is loaded (content)
 * EEXIST: the aspect is woven already
 * EBUSY: the aspect is starting, retiring or ending
 * ENOTRECOVERABLE: the aspect's advice has faulted; load the module anew
 * EINVAL: the request is invalid, or a splice was refused (see each element's refusal)
 * EAGAIN: the live text has changed since it was checked
 * ECANCELED: the start block failed
 * ESRCH: the filter's process does not exist
 * ENOEXEC: a program cannot be woven (weft_part_status.error)
 * EOPNOTSUPP: the aspect cannot be filtered, or the kernel lacks a tracepoint that it needs
 * E2BIG: the plan has more than WEFT_PLAN_MAX elements
 * ERANGE, ENOSPC: a trampoline cannot be made: its target is out of reach, or it is too long
 * ENOMEM: memory is short
 */
#define WEFT_PLAN_MAX 1000000u
/* Verify only: changes nothing. The request succeeds even if splices are refused. */
#define WEFT_WEAVE_CHECK 1u
#define WEFT_WEAVE_BOUND 2u /* unweave when the last reference to this file descriptor is closed */
/*
 * The caller waits for all splices to be optimized: begin the optimizing at once, not 0.1 s later.
 */
#define WEFT_WEAVE_URGENT 4u
/* Compare the context of each advice call before and after it (unbalanced.h). Slower. */
#define WEFT_WEAVE_BALANCE 8u
/*
 * Parts of the aspect whose module is not loaded, or is unloaded later, wait for it. When it is
 * loaded, before its init function runs, weft.ko itself makes and checks the plan of these parts,
 * and applies all splices that are not refused, or none if it cannot. The plan of the request may
 * be empty then. WEFT_ASPECT_PENDING in the aspect's header has the same effect.
 */
#define WEFT_WEAVE_PENDING 16u
#define WEFT_TIME_MAX (1ull << 60) /* nanoseconds; upper bound of every time here: 36 years */
struct weft_weave {
	char name[WEFT_NAME_MAX];
	__u64 content; /* in: must be equal to the loaded module's */
	/* in: user address of struct weft_splice[]; the refusals are written back to it */
	__u64 splices;
	__u32 nr_splices;
	__u32 flags;
	__u32 nr_refused; /* out: the number of elements that were refused */
	__s32 start;	  /* out: what the start block returned; valid after ECANCELED */
	struct weft_filter filter;
	__u32 share; /* in: WEFT_SHARE_*; 0: the aspect's own share */
	/*
	 * in: nanoseconds until the aspect's time begins; each advice's start and stop times count
	 * from there
	 */
	__u64 after;
	__u64 lasts; /* in: nanoseconds that the aspect's time lasts; 0: until it is unwoven */
	__u64 budget; /* in: WEFT_BUDGET_*; 0: the aspect's own budget */
};

/*
 * WEFT_IOC_UNWEAVE: restores the text at once, and frees the trampolines after a grace period.
 * Errors:
 * ENOENT: there is no such aspect
 * ENODATA: the aspect is not woven
 * EBUSY: the aspect is starting, retiring or ending
 */
struct weft_unweave {
	char name[WEFT_NAME_MAX];
	__u32 nr_restored; /* out: number of splices whose original bytes are restored */
	__u32 reserved;
};

/*
 * The states of an aspect, and what leads from one to the next (kmod/aspect-state.h has all of it):
 *
 * LOADED --weave--> STARTING --> WOVEN --unweave--> RETIRING --grace period--> ENDING --> LOADED
 * LOADED --module gone--> GONE (records unread)
 */
enum weft_state {
	WEFT_STATE_LOADED = 0,	 /* the module is loaded, no text is changed */
	WEFT_STATE_WOVEN = 1,
	WEFT_STATE_RETIRING = 2, /* text is restored; a task may still execute in a trampoline */
	WEFT_STATE_GONE = 3,	 /* the module was removed; its unread records are kept */
	WEFT_STATE_STARTING = 4, /* its start block is running, no text is changed */
	WEFT_STATE_ENDING = 5,	 /* its end block is running; nobody is in its advice any more */
	WEFT_STATES
};

/* The phase of an aspect's time, for an aspect that is woven or was woven last. */
enum weft_phase {
	/*
	 * at least one advice has reached its start time, and not all have reached their stop time;
	 * also if the aspect was never woven
	 */
	WEFT_PHASE_RUNNING = 0,
	WEFT_PHASE_WAITING = 1, /* no advice has reached its start time */
	/* all advice has reached its stop time, and weft.ko has unwoven the aspect */
	WEFT_PHASE_ENDED = 2,
};

/* WEFT_IOC_LIST: one aspect's status. @index counts from 0; ENOENT past the last. */
struct weft_status {
	__u32 index; /* in */
	__u32 state; /* enum weft_state */
	char name[WEFT_NAME_MAX];
	__u64 content;
	__u32 nr_joinpoints; /* in the table of the aspect's module */
	/*
	 * number of the aspect's advice calls in the text; several may be in one splice, which
	 * other aspects may share
	 */
	__u32 nr_splices;
	__u32 bound; /* 1: the aspect will be unwoven when a file is closed (WEFT_WEAVE_BOUND) */
	/*
	 * pid of the process that wove it, in the caller's namespace; 0: it has exited, or the
	 * aspect is not woven
	 */
	__u32 owner;
	__u64 hits;	     /* executions that ran the advice */
	/*
	 * executions that did not run it, because advice was running already on that CPU in the
	 * same context or a higher one, because too little of the stack was left (@no_stack), or
	 * because a call could not be noted
	 */
	__u64 missed;
	__u64 records;	     /* records written */
	__u64 lost;	     /* records that found the buffer full */
	__u64 unread;	     /* records still to be read */
	/*
	 * those of @nr_splices whose splice is optimizing: a trap until no task is inside its
	 * displaced range
	 */
	__u32 nr_optimizing;
	/* number of tasks that the aspect keeps state of; 0 while LOADED or GONE */
	__u32 tasks;
	__u32 tasks_room;    /* upper bound of @tasks; 0: the aspect keeps no state of tasks */
	__u32 phase;	     /* enum weft_phase */
	__u64 dropped;	     /* executions that found no room for the state of their task */
	__u64 no_stack;	     /* of @missed: those that found too little of the stack left */
	/* nanoseconds until the next start or stop time of an advice; 0: none */
	__u64 next;
	/* STARTING, ENDING: the thread that runs the block, in the caller's namespace; else 0 */
	__u32 block_pid;
	__u32 block_died;    /* 1: that thread ended inside the block, by an oops */
	__u64 block_ns;	     /* nanoseconds since the block began */
	__u64 faults; /* number of faults in its advice since the last weave (WEFT_IOC_FAULT) */
	/*
	 * Limits of its advice since the last weave: @budget in nanoseconds, @share in percent of a
	 * CPU; 0: no limit.
	 */
	__u64 budget;
	__u32 share;
	__u32 nr_pending; /* parts that wait for their module (WEFT_IOC_PARTS) */
	/* numbers of shadows of accesses, by enum weft_precision (precision-count.h) */
	__u32 accesses[WEFT_PRECISION_OPTIMIZED_OUT];
	__u32 inside; /* executions of its around-advice that have begun and not ended */
	__u32 published; /* WEFT_PUBLISHED_* (abi-view.h) */
	__u32 group;	 /* with WEFT_PUBLISHED_GROUP: who may read all records */
	__u32 views;	 /* readers of its records by /dev/weft-read */
	__u64 overtaken; /* of @records: those that WEFT_IOC_READ has missed because of views */
};

/*
 * WEFT_IOC_SHADOWS: where an aspect is spliced, and the original bytes there, so that others can
 * verify the text. There is one element for each advice call, so several may be of one splice. With
 * the name "": the call of the kernel's int3 handler, which weft.ko changes. ENOENT: no such aspect
 * is loaded.
 */
struct weft_shadow_status {
	__u64 address; /* live address */
	__u64 trampoline;   /* live address */
	__u32 kind;
	__u16 length;
	/* 1: the splice is still a trap, until no task is inside its displaced range */
	__u16 optimizing;
	__u8 old[WEFT_DISPLACED_MAX];
	__u64 slot; /* live address of the slot of a springboard; else 0 */
	/*
	 * The text that was changed to make the slot: the slot's own bytes, or the donor that
	 * contains the slot. It is restored after the grace period.
	 */
	__u64 freed; /* live address; 0: no text was changed */
	__u8 freed_length;
	__u8 reserved[7];
	__u8 freed_old[WEFT_DISPLACED_MAX];
};
struct weft_shadows {
	char name[WEFT_NAME_MAX];
	__u64 buffer; /* in: user address of struct weft_shadow_status[] */
	__u32 size;   /* in: elements that the buffer holds; out: elements that exist */
	__u32 reserved;
};

/*
 * WEFT_IOC_READ: consumes records of one aspect, the oldest of all CPUs first. @used is 0 if there
 * are none. A record is never split between two reads. Errors:
 * ENOENT: there is no such aspect
 * EMSGSIZE: the buffer is too small for the next record
 * EBUSY: the aspect has a recorder
 */
struct weft_read {
	char name[WEFT_NAME_MAX];
	__u64 buffer; /* in: user address to which the records are copied */
	__u32 size;   /* in: size of the buffer in bytes */
	__u32 used;   /* out: bytes of whole records */
};

/*
 * The joinpoint numbers in records of an aspect's start and end blocks, which belong to no
 * joinpoint.
 */
#define WEFT_JOINPOINT_START 0xffffffffu
#define WEFT_JOINPOINT_END 0xfffffffeu

struct weft_record {
	__u32 size;	 /* bytes of this record with its text, a multiple of 8 */
	__u32 joinpoint; /* index into the aspect's table, or WEFT_JOINPOINT_* */
	__u64 time;	 /* nanoseconds of the kernel's CLOCK_MONOTONIC */
	__u32 cpu;
	__u32 pid; /* id of the thread; @tgid is that of the process */
	__u32 tgid;
	__u32 uid;
	__u32 lost; /* records lost on this CPU just before this one */
	__u32 text_size; /* bytes of the text without its NUL */
	char comm[16];
	__u32 nr_values;
	__u32 names_size; /* bytes of the names without their NUL */
	/*
	 * The text, NUL-terminated and padded to 8 bytes; then the values, struct weft_value[];
	 * then their names, NUL-terminated and padded: the arguments as the author wrote them,
	 * separated by commas.
	 */
	char text[];
};

/* A value of a record: the part of its text from @start to @end, in bytes. */
struct weft_value {
	__u16 start, end;
	/* the conversion: d i u x X o c s p; S: a symbol; t: other text */
	__u8 type;
	__u8 reserved[3];
};

/*
 * WEFT_IOC_JOINPOINT: describes the joinpoint of a record. ENOENT no such aspect, ERANGE no such
 * joinpoint.
 */
struct weft_joinpoint_text {
	char name[WEFT_NAME_MAX]; /* in: the aspect's name */
	__u32 index;		  /* in: the joinpoint's index */
	__u32 line, column;
	__u32 symbol_offset;
	__u64 text_offset; /* bytes from the start of the shadow's part to the shadow */
	/* NUL-terminated, truncated if too long */
	char what[128], symbol[128], function[128], file[192];
	char module[WEFT_NAME_MAX]; /* the shadow's module or program; "": the kernel proper */
};

/* ---- 3. the requests for metrics and tags (abi-metrics.h, abi-tags.h) ------------------------ */

#include "abi-metrics.h"
#include "abi-tags.h"

/* ---- 4. the request for advice that runs once ------------------------------------------------ */

/*
 * The state of a joinpoint whose advice runs only once. After the advice has run there, weft.ko
 * removes the splice.
 */
enum weft_once {
	WEFT_ONCE_NOT = 0,     /* its advice runs each time, or it was not woven */
	WEFT_ONCE_WAITING = 1, /* the advice has not run yet */
	WEFT_ONCE_HIT = 2,     /* the advice has run */
	WEFT_ONCE_OUT = 3,     /* the advice has run, and the original text is restored */
};

/*
 * WEFT_IOC_ONCE: copies the enum weft_once of each joinpoint of an aspect, as of its last weave.
 * ENOENT: there is no such aspect. ENODATA: it has no advice that runs once, or was never woven.
 */
struct weft_once_states {
	char name[WEFT_NAME_MAX]; /* in: the aspect's name */
	__u64 buffer; /* in: user address; one byte for each joinpoint, by index */
	__u32 size;   /* in: size of the buffer in bytes; out: number of joinpoints */
	__u32 reserved;
};

/* ---- 5. limits of advice, and its faults (abi-fault.h) --------------------------------------- */

#include "abi-fault.h"

/* ---- 6. the requests for recordings (abi-record.h) ------------------------------------------- */

#include "abi-record.h"

/* ---- 7. the requests of readers without privilege (abi-view.h) ------------------------------- */

#include "abi-view.h"

#define WEFT_IOC_MAGIC 'W'
#define WEFT_IOC_INFO _IOR(WEFT_IOC_MAGIC, 0, struct weft_info)
#define WEFT_IOC_TEXT _IOW(WEFT_IOC_MAGIC, 1, struct weft_text)
#define WEFT_IOC_WEAVE _IOWR(WEFT_IOC_MAGIC, 2, struct weft_weave)
#define WEFT_IOC_UNWEAVE _IOWR(WEFT_IOC_MAGIC, 3, struct weft_unweave)
#define WEFT_IOC_LIST _IOWR(WEFT_IOC_MAGIC, 4, struct weft_status)
#define WEFT_IOC_SHADOWS _IOWR(WEFT_IOC_MAGIC, 5, struct weft_shadows)
#define WEFT_IOC_READ _IOWR(WEFT_IOC_MAGIC, 6, struct weft_read)
#define WEFT_IOC_JOINPOINT _IOWR(WEFT_IOC_MAGIC, 7, struct weft_joinpoint_text)
#define WEFT_IOC_METRIC _IOWR(WEFT_IOC_MAGIC, 8, struct weft_metric_info)
#define WEFT_IOC_METRIC_ROWS _IOWR(WEFT_IOC_MAGIC, 9, struct weft_metric_rows)
#define WEFT_IOC_METRIC_RESET _IOW(WEFT_IOC_MAGIC, 10, struct weft_metric_reset)
#define WEFT_IOC_ONCE _IOWR(WEFT_IOC_MAGIC, 11, struct weft_once_states)
#define WEFT_IOC_FAULT _IOWR(WEFT_IOC_MAGIC, 12, struct weft_fault)
#define WEFT_IOC_PARTS _IOWR(WEFT_IOC_MAGIC, 13, struct weft_parts)
#define WEFT_IOC_RECORD _IOWR(WEFT_IOC_MAGIC, 14, struct weft_recorder)
#define WEFT_IOC_SPANS _IOWR(WEFT_IOC_MAGIC, 15, struct weft_spans)
#define WEFT_IOC_STATEMENT _IOWR(WEFT_IOC_MAGIC, 16, struct weft_statement_text)
#define WEFT_IOC_METRIC_OPEN _IOWR(WEFT_IOC_MAGIC, 17, struct weft_metric_rows)

/*
 * The weaver, weft.ko and aspect modules are compiled at different times: the layout must not
 * change.
 */
#define WEFT_ASSERT_SIZE(type, size) _Static_assert(sizeof(struct type) == (size), #type)
WEFT_ASSERT_SIZE(weft_aspect_header, 104);
WEFT_ASSERT_SIZE(weft_text_part, 48);
WEFT_ASSERT_SIZE(weft_joinpoint, 64);
WEFT_ASSERT_SIZE(weft_info, 40);
WEFT_ASSERT_SIZE(weft_piece, 16);
WEFT_ASSERT_SIZE(weft_text, 24);
WEFT_ASSERT_SIZE(weft_splice, 48);
WEFT_ASSERT_SIZE(weft_weave, 144);
WEFT_ASSERT_SIZE(weft_unweave, 64);
WEFT_ASSERT_SIZE(weft_status, 256);
WEFT_ASSERT_SIZE(weft_part_status, 144);
WEFT_ASSERT_SIZE(weft_parts, 72);
WEFT_ASSERT_SIZE(weft_shadow_status, 96);
WEFT_ASSERT_SIZE(weft_shadows, 72);
WEFT_ASSERT_SIZE(weft_read, 72);
WEFT_ASSERT_SIZE(weft_record, 64);
WEFT_ASSERT_SIZE(weft_value, 8);
WEFT_ASSERT_SIZE(weft_joinpoint_text, 712);
WEFT_ASSERT_SIZE(weft_metric_info, 584);
WEFT_ASSERT_SIZE(weft_metric_rows, 88);
WEFT_ASSERT_SIZE(weft_metric_row, 16);
WEFT_ASSERT_SIZE(weft_open_pair, 64);
WEFT_ASSERT_SIZE(weft_metric_reset, 56);
WEFT_ASSERT_SIZE(weft_once_states, 72);
WEFT_ASSERT_SIZE(weft_fault, 1568);

#endif /* WEFT_ABI_H */
