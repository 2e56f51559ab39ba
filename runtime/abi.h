/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What passes between the weaver, weft.ko and the aspect modules, as plain data. Three parties
 * include this file: the weaver (user space), kmod/ and every generated aspect (kernel). Only
 * scalars of fixed width, no pointers.
 *
 *  1. The sections of an aspect module (.ko): what the compiler wrote into it. The weaver reads
 *     them from the file, the kernel from memory: one table, two readers.
 *  2. The device's requests (/dev/weft, ioctl): text reading, plans, states, records.
 *
 * Addresses are of two spaces and always say which: a *link* address is vmlinux's, a *live* one the
 * running kernel's; live = link - link(_text) + live(_text), which is what KASLR moves.
 */
#ifndef WEFT_ABI_H
#define WEFT_ABI_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define WEFT_ABI_VERSION 9

#define WEFT_NAME_MAX 56     /* an aspect's name with its NUL; a module's name holds no more */
#define WEFT_BUILD_ID_MAX 20 /* bytes of a GNU build-id */
#define WEFT_INSN_MAX 15     /* bytes of the longest x86 instruction */
#define WEFT_JUMP_SIZE 5 /* bytes of a near jump or call: what a splice that is no trap writes */
#define WEFT_SHORT_SIZE 2    /* bytes of a short jump, which reaches 128 bytes back and 127 ahead */
#define WEFT_DISPLACED_MAX 24   /* bytes of the longest displaced range */
#define WEFT_DONOR_MIN 10     /* bytes of the shortest donor: a jump and a slot */

/* ---- 1. an aspect module's sections ---------------------------------------------------------- */

#define WEFT_SECTION_ASPECT ".weft.aspect"	   /* one struct weft_aspect_header */
#define WEFT_SECTION_JOINPOINTS ".weft.joinpoints" /* struct weft_joinpoint[], by text_offset */
#define WEFT_SECTION_STRINGS ".weft.strings"	   /* NUL-terminated; offset 0 is "" */

#define WEFT_ASPECT_MAGIC 0x54464557u /* "WEFT" in memory */

struct weft_aspect_header {
	__u32 magic;
	__u32 abi;
	char name[WEFT_NAME_MAX]; /* the aspect's; also the module's */
	__u32 nr_joinpoints;
	__u32 nr_advices;
	__u8 build_id[WEFT_BUILD_ID_MAX]; /* of the vmlinux whose database gave the joinpoints */
	__u32 build_id_size;
	/* hash over everything the module was made of: tells two of one name apart */
	__u64 content;
	__u32 flags;   /* WEFT_ASPECT_* */
	__u32 reserved;
};

#define WEFT_ASPECT_FILTERED 1u /* its advice asks the weave's filter */

/* How exactly a shadow is known; DESIGN section 4. Ordered from best to worst. */
enum weft_precision {
	WEFT_PRECISION_EXACT = 0,  /* a label of the compiler's own */
	WEFT_PRECISION_COLUMN = 1, /* the line table has this very line and column */
	WEFT_PRECISION_OPERAND = 2,
	WEFT_PRECISION_LINE = 3,   /* the line's first statement instruction */
	WEFT_PRECISION_SYMBOL = 4, /* a function's entry or symbol+offset: from the symbol table */
	WEFT_PRECISION_OPTIMIZED_OUT = 5, /* no instruction is left */
};

/*
 * When an advice runs. Advices nest: of those that come before something the first runs first, of
 * those that come after it the first runs last. So at one instruction: RETURNED, the last one
 * first; BEFORE; LEAVING, the last first; the instruction; AFTER, the last first. The first is that
 * of the aspect that was woven first, and there the joinpoint of the lowest index.
 */
enum weft_when {
	WEFT_BEFORE = 0,   /* before the instruction */
	WEFT_AFTER = 1,	   /* behind it */
	WEFT_RETURNED = 2, /* before it, after the call that returns to it */
	WEFT_LEAVING = 3,  /* before it, after the function or block that it leaves */
	WEFT_WHENS
};

/* One advice at one shadow. Two advices at one shadow are two entries that follow each other. */
struct weft_joinpoint {
	__u64 text_offset; /* link address of the shadow - link address of _text */
	__u32 symbol;	   /* strings: the symbol that holds the shadow */
	__u32 symbol_offset;
	__u32 what;	/* strings: the joinpoint as people say it, "sk_buff.destructor call" */
	__u32 function; /* strings: the function whose source it stands in */
	__u32 file;	/* strings: as the line table names it */
	__u32 line;
	__u32 column;
	/*
	 * WR_BIT()s of what C may change and the kernel may still read; WEFT_LIVE_UNKNOWN is always
	 * right
	 */
	__u32 live;
	__u16 advice; /* index of the advice */
	__u8 precision : 4; /* enum weft_precision */
	__u8 when : 3;	    /* enum weft_when */
	__u8 required : 1;  /* where it cannot be spliced, the aspect cannot be woven */
	__u8 before;	/* bytes from the start of the shadow's displaced range to the shadow */
	/*
	 * Bytes of instructions that one jump, or a trap over a single one, may cover; 0: none is
	 * known. The shadow is one of them, or, where @before is as much, what the last of them
	 * goes on to: its own bytes, which are another's or have to stay, are left alone.
	 */
	__u8 displaced;
	__u8 refusal;	/* enum weft_refusal, where the compiler has found one already */
	__s16 slot;	/* not 0: the jump is a short one, to a slot this far behind it */
	/*
	 * Bytes from the symbol that the displaced range is in, and that the slot is in, up to the
	 * next symbol, where the image's debug information says that GCC made it of C, and so the
	 * displaced range, and the slot, were found by all that is in the image; else 0. weft.ko
	 * wants to know where it cannot tell C by itself (kmod/text/single-entry.c).
	 */
	__u32 c_size;
	__u32 slot_c_size;
};

/* ---- 2. the device --------------------------------------------------------------------------- */

#define WEFT_DEVICE "/dev/weft"

/* Why a shadow cannot be spliced. One value, one reason; docs/refusals.md explains each. */
enum weft_refusal {
	WEFT_REFUSAL_NONE = 0,
	/* the address is not in the kernel's text, or in init text that is gone */
	WEFT_REFUSAL_NOT_TEXT = 1,
	WEFT_REFUSAL_BOUNDARY = 2,	 /* not the first byte of an instruction */
	WEFT_REFUSAL_CHANGED = 3,	 /* the live bytes are not the plan's */
	/* the kernel forbids probing here: noinstr, NOKPROBE, entry code */
	WEFT_REFUSAL_BLACKLISTED = 4,
	WEFT_REFUSAL_FTRACE = 5,	 /* an ftrace site owns these bytes */
	WEFT_REFUSAL_JUMP_LABEL = 6,	 /* a jump label owns them */
	WEFT_REFUSAL_STATIC_CALL = 7,	 /* a static call owns them */
	WEFT_REFUSAL_ALTERNATIVE = 8,	 /* an SMP alternative (lock prefix) owns them */
	WEFT_REFUSAL_KPROBE = 9,	 /* a kprobe sits here */
	/* an int3 that is nobody's we know, or code that has its own */
	WEFT_REFUSAL_BREAKPOINT = 10,
	WEFT_REFUSAL_UNDECODABLE = 11,	 /* the kernel's decoder does not know the instruction */
	WEFT_REFUSAL_UNRELOCATABLE = 12, /* cannot run out of line: see docs/refusals.md */
	WEFT_REFUSAL_ENDBR = 13,	 /* an endbr: it must stay the landing pad */
	/* a fault in this instruction is handled by its address (__ex_table) */
	WEFT_REFUSAL_EXCEPTION = 14,
	WEFT_REFUSAL_RANGE = 15,	 /* no trampoline memory within reach */
	WEFT_REFUSAL_OWN_TEXT = 16,	 /* weft's own code, or what its trap path runs through */
	/* the plan names a joinpoint that the aspect has not, or at another place */
	WEFT_REFUSAL_JOINPOINT = 17,
	WEFT_REFUSAL_ORDER = 18,	 /* the plan's splices are not in ascending order */
	WEFT_REFUSAL_KIND = 19,		 /* a splice of a kind or length that is not allowed here */
	/* control may enter the displaced range behind its first instruction, or nobody can tell */
	WEFT_REFUSAL_BRANCH_TARGET = 20,
	WEFT_REFUSAL_OVERLAP = 21,	 /* another splice has a part of the displaced range */
	/* the springboard's slot is out of reach, neither padding nor in a donor, or taken */
	WEFT_REFUSAL_SLOT = 22,
	/* after-advice of an instruction that goes on somewhere else */
	WEFT_REFUSAL_GOES_ELSEWHERE = 23,
	/* after-advice of a call that returns to another function */
	WEFT_REFUSAL_TAIL_CALL = 24,
	/* after-advice of a call, and others arrive where it returns to */
	WEFT_REFUSAL_JOINS = 25,
	/* after-advice of what has no end: an inlined copy, a call that never returns */
	WEFT_REFUSAL_NO_END = 26,
	WEFT_REFUSAL_COUNT
};

/* What is written over a shadow. */
enum weft_splice_kind {
	WEFT_SPLICE_TRAP = 0, /* an int3 over the first byte of one instruction */
	/*
	 * a jump to the trampoline over a displaced range of 5 bytes or more, an int3 over each
	 * byte behind it
	 */
	WEFT_SPLICE_JUMP = 1,
	/* a direct call, turned to the trampoline; the trampoline goes on to where it went */
	WEFT_SPLICE_CALL = 2,
	/*
	 * a short jump over a displaced range of 2 bytes or more, to a slot that holds the jump to
	 * the trampoline
	 */
	WEFT_SPLICE_SPRINGBOARD = 3,
	WEFT_SPLICE_KINDS
};

/*
 * What the code at and behind a shadow may still read: WR_BIT()s (frame.h), among them the flags'.
 */
#define WEFT_LIVE_UNKNOWN 0xffffffffu /* everything */

/* WEFT_IOC_INFO: who is there. */
struct weft_info {
	__u32 abi; /* out: WEFT_ABI_VERSION of weft.ko */
	__u32 nr_aspects;
	__u64 text;  /* out: live address of _text */
	__u64 etext; /* out: live address of _etext */
};

/*
 * WEFT_IOC_TEXT: pieces of live text as it is now, one behind the other; bytes under weft's own
 * splices are shown as the original ones on request. EFAULT: a piece is not in the kernel's text;
 * E2BIG.
 */
#define WEFT_TEXT_MAX 65536u  /* bytes of all pieces */
#define WEFT_PIECES_MAX 4096u
#define WEFT_TEXT_ORIGINAL 1u
struct weft_piece {
	__u64 address; /* live */
	__u32 size;
	__u32 reserved;
};
struct weft_text {
	__u64 pieces; /* in: user address of struct weft_piece[] */
	__u64 buffer; /* in: user address */
	__u32 nr_pieces;
	__u32 flags; /* in: WEFT_TEXT_* */
};

/*
 * One element of a plan: one joinpoint entry of the aspect, to be spliced. Ascending by address,
 * then the joinpoint's own address, then its index. Elements of one address are one splice: they
 * agree in kind, length and bytes.
 */
struct weft_splice {
	/*
	 * live: where the displaced range begins; the joinpoint's instruction is one of the
	 * displaced range's, or right behind it
	 */
	__u64 address;
	__u32 joinpoint; /* index into the aspect's table */
	__u8 kind;	 /* enum weft_splice_kind */
	/* bytes of whole instructions that the splice covers: its displaced range */
	__u8 length;
	/*
	 * SPRINGBOARD: bytes from behind the short jump to the slot; others: 0. A slot that is not
	 * in padding is in a donor: the shortest displaced range of WEFT_DONOR_MIN bytes or more in
	 * the same function that begins five bytes before it. That moves out of the way.
	 */
	__s16 slot;
	/* WR_BIT()s: what is not live is not saved; WEFT_LIVE_UNKNOWN is always right */
	__u32 live;
	__u32 refusal;	 /* out: enum weft_refusal */
	/* the live bytes that the plan was made from, @length of them */
	__u8 old[WEFT_DISPLACED_MAX];
};

/* Whose hits a weave is for: of what it asks all has to fit. For WEFT_ASPECT_FILTERED only. */
#define WEFT_FILTER_PID 1u   /* the process, all threads of it */
#define WEFT_FILTER_BELOW 2u /* those that @pid started, and they in turn, instead */
#define WEFT_FILTER_UID 4u
#define WEFT_FILTER_COMM 8u
struct weft_filter {
	__u32 asks; /* WEFT_FILTER_* */
	__u32 pid;  /* in the namespace of who weaves */
	__u32 uid;  /* the kernel's own numbers */
	char comm[16];
};

/*
 * WEFT_IOC_WEAVE: verify, then apply the whole plan or nothing. Errors: ENOENT no such aspect
 * module is loaded, EEXIST it is woven already, EBUSY it is still retiring, EINVAL at least one
 * splice was refused (each one's refusal says why), EAGAIN live bytes changed (refusal CHANGED),
 * ECANCELED the start block failed, ESRCH there is no process of the filter's, EOPNOTSUPP the
 * aspect cannot be filtered, ENOMEM, E2BIG. The splices go into the text at once; advice whose time
 * has not come is jumped over in its trampoline until then.
 */
#define WEFT_PLAN_MAX 1000000u
/* Verify only: never changes anything; 0 even when splices were refused. */
#define WEFT_WEAVE_CHECK 1u
#define WEFT_WEAVE_BOUND 2u /* unweave when this file descriptor's last reference goes */
/* Somebody waits until all its splices are optimized: that begins at once, not 0.1 s later. */
#define WEFT_WEAVE_URGENT 4u
#define WEFT_TIME_MAX (1ull << 60) /* nanoseconds, of any time here: 36 years */
struct weft_weave {
	char name[WEFT_NAME_MAX];
	__u64 content; /* in: must be the loaded module's */
	__u64 splices; /* in: user address of struct weft_splice[]; refusals are written back */
	__u32 nr_splices;
	__u32 flags;
	__u32 nr_refused; /* out */
	__s32 start;	  /* out: what the start block returned */
	struct weft_filter filter;
	__u32 reserved;
	/*
	 * in: nanoseconds until its time begins, from which each advice's start and stop times
	 * count
	 */
	__u64 after;
	__u64 lasts; /* in: nanoseconds that its time lasts; 0: until it is unwoven */
};

/*
 * WEFT_IOC_UNWEAVE: restore the text now, retire the trampolines after a grace period. ENOENT,
 * ENODATA: not woven.
 */
struct weft_unweave {
	char name[WEFT_NAME_MAX];
	__u32 nr_restored; /* out: splices whose original bytes are back */
	__u32 reserved;
};

/*
 * LOADED --weave--> WOVEN --unweave--> RETIRING --grace period--> LOADED --module gone--> GONE
 * (records unread)
 */
enum weft_state {
	WEFT_STATE_LOADED = 0,	 /* the module is there, no text is changed */
	WEFT_STATE_WOVEN = 1,
	WEFT_STATE_RETIRING = 2, /* text is restored; somebody may still be inside a trampoline */
	WEFT_STATE_GONE = 3,	 /* the module was removed; its unread records are kept */
};

/* Where a woven aspect is in its time, or one whose time has ended. */
enum weft_phase {
	/*
	 * an advice may run, or has run and a later one waits; also where there is nothing to wait
	 * for
	 */
	WEFT_PHASE_RUNNING = 0,
	WEFT_PHASE_WAITING = 1, /* no advice's start time has come */
	WEFT_PHASE_ENDED = 2,	/* every advice's time was over, and the kernel has unwoven it */
};

/* WEFT_IOC_LIST: one aspect's status. @index counts from 0; ENOENT past the last. */
struct weft_status {
	__u32 index; /* in */
	__u32 state; /* enum weft_state */
	char name[WEFT_NAME_MAX];
	__u64 content;
	__u32 nr_joinpoints; /* the module's */
	__u32 nr_splices;    /* now in the text for it, shared ones included */
	__u32 bound;	     /* 1: goes with a file descriptor */
	__u32 owner;	     /* pid that wove it, in the reader's namespace; 0: gone */
	__u64 hits;	     /* executions that ran the advice */
	__u64 missed;	     /* executions that could not: inside advice already */
	__u64 records;	     /* written */
	__u64 lost;	     /* records that found the buffer full */
	__u64 unread;	     /* records still to be read */
	/*
	 * of its splices: displaced ranges of several instructions that are traps until nobody is
	 * inside them
	 */
	__u32 nr_optimizing;
	__u32 tasks;	     /* of so many something is remembered now; 0 while it is not woven */
	__u32 tasks_room;    /* the most that there can be; 0: it remembers nothing of tasks */
	__u32 phase;	     /* enum weft_phase */
	__u64 dropped;	     /* executions that found no room to remember their task */
	__u64 next;	     /* nanoseconds until an advice begins or ends; 0: none will */
};

/*
 * WEFT_IOC_SHADOWS: where an aspect is spliced now, and what bytes are under it; for verification
 * by others.
 */
struct weft_shadow_status {
	__u64 address; /* live */
	__u64 trampoline;   /* live */
	__u32 kind;
	__u16 length;
	__u16 optimizing; /* 1: it is a trap until nobody is inside its displaced range */
	__u8 old[WEFT_DISPLACED_MAX];
	__u64 slot; /* live: a springboard's; else 0 */
	/*
	 * What was changed for the slot: its own bytes, or those of its donor, in which it lies.
	 * Restored after the grace period.
	 */
	__u64 freed; /* live; 0: nothing */
	__u8 freed_length;
	__u8 reserved[7];
	__u8 freed_old[WEFT_DISPLACED_MAX];
};
struct weft_shadows {
	char name[WEFT_NAME_MAX];
	__u64 buffer; /* in: user address of struct weft_shadow_status[] */
	__u32 size;   /* in: elements there is room for; out: elements that there are */
	__u32 reserved;
};

/*
 * WEFT_IOC_READ: consume records of one aspect, the oldest of all CPUs first. @used 0 says that
 * there is nothing now. A record never straddles two reads. ENOENT no such aspect, EMSGSIZE the
 * buffer is too small for the next record.
 */
struct weft_read {
	char name[WEFT_NAME_MAX];
	__u64 buffer; /* in: user address */
	__u32 size;   /* in: bytes */
	__u32 used;   /* out: bytes of whole records */
};

/* Records of an aspect's start and end blocks, which belong to no joinpoint. */
#define WEFT_JOINPOINT_START 0xffffffffu
#define WEFT_JOINPOINT_END 0xfffffffeu

struct weft_record {
	__u32 size;	 /* of this record with its text, a multiple of 8 */
	__u32 joinpoint; /* index into the aspect's table, or WEFT_JOINPOINT_* */
	__u64 time;	 /* nanoseconds of the kernel's CLOCK_MONOTONIC */
	__u32 cpu;
	__u32 pid; /* thread */
	__u32 tgid;
	__u32 uid;
	__u32 lost; /* records lost on this CPU just before this one */
	__u32 text_size; /* without the NUL */
	char comm[16];
	__u32 nr_values;
	__u32 names_size; /* without the NUL */
	/*
	 * NUL-terminated and padded to 8 bytes; then the values, struct weft_value[]; then their
	 * names, which are the arguments as the author wrote them, with commas between,
	 * NUL-terminated and padded.
	 */
	char text[];
};

/* A value of a record is a part of its text. */
struct weft_value {
	__u16 start, end;
	/* what its format's conversion is: d i u x X o c s p; S a symbol; t something in words */
	__u8 type;
	__u8 reserved[3];
};

/*
 * WEFT_IOC_JOINPOINT: what a record's joinpoint is, in words. ENOENT no such aspect, ERANGE no such
 * joinpoint.
 */
struct weft_joinpoint_text {
	char name[WEFT_NAME_MAX]; /* in */
	__u32 index;		  /* in */
	__u32 line, column;
	__u32 symbol_offset;
	__u64 text_offset;
	/* NUL-terminated, cut where too long */
	char what[128], symbol[128], function[128], file[192];
};

/* ---- 3. metrics ------------------------------------------------------------------------------ */

enum weft_metric_type {
	WEFT_METRIC_COUNTER = 0,     /* executions */
	WEFT_METRIC_SUM = 1,	     /* of a value */
	WEFT_METRIC_HISTOGRAM = 2,   /* of a value */
	WEFT_METRIC_ELAPSED = 3,     /* a histogram of nanoseconds from a start to its end */
	WEFT_METRIC_CONCURRENCY = 4, /* how many are between start and end, over time */
	WEFT_METRIC_TYPES
};

/* A histogram's buckets. */
enum weft_metric_scale {
	WEFT_SCALE_LOG2 = 0,   /* 2^fine for each power of two: runtime/metric-table.h */
	WEFT_SCALE_LINEAR = 1, /* of one width, @step, from @least on */
};

/* The clock of starts and ends. */
enum weft_metric_clock {
	WEFT_CLOCK_WALL = 0,
	WEFT_CLOCK_CPU = 1, /* stops while the task is switched out */
};

/* What a row's key is, and so how it is shown. */
enum weft_key_kind {
	WEFT_KEY_NONE = 0, /* there is one row, without a key */
	WEFT_KEY_UNSIGNED = 1,
	WEFT_KEY_SIGNED = 2,
	WEFT_KEY_POINTER = 3,	/* of the kernel's text: by its symbol; else as a number */
	WEFT_KEY_TEXT = 4,
	WEFT_KEY_FUNCTION = 5,	/* the joinpoint's function, by its source */
	WEFT_KEY_JOINPOINT = 6, /* the joinpoint, by its shadow */
};

/*
 * WEFT_IOC_METRIC: what metric @index of an aspect is, and its totals. All numbers count from the
 * last reset. ENOENT no such aspect, ERANGE no such metric.
 */
struct weft_metric_info {
	char name[WEFT_NAME_MAX]; /* in: the aspect's */
	__u32 index;		  /* in: counts from 0 */
	__u32 type;		  /* enum weft_metric_type */
	char metric[64], unit[32];
	char value[128], by[64]; /* as the author wrote them; cut where too long */
	__u32 scale;	 /* enum weft_metric_scale */
	__u32 clock;	 /* enum weft_metric_clock */
	__u32 fine;	 /* LOG2 */
	__u32 buckets;	 /* LINEAR, LOG2 */
	__s64 least;	 /* LINEAR */
	__u64 step;	 /* LINEAR */
	__u32 key_kind;	 /* enum weft_key_kind; NONE as well where no row was made yet */
	__u32 rows;	 /* that there is room for on each CPU; 0: without key */
	__u32 nr_values; /* in each row */
	__u32 nr_cpus;	 /* CPU numbers are below this */
	/* nanoseconds for which it was woven, and its time had come and was not over */
	__u64 woven;
	__u64 full;	 /* hits that found no row */
	__u64 unmatched; /* ends without a start */
	__u64 dropped;	 /* starts that found no room */
	__u64 open;	 /* starts that wait for their end */
	__u64 open_time; /* nanoseconds since then, of all of them */
	/*
	 * of the last weave: where it counts, of a pair where it starts, and in how many of them
	 * not
	 */
	__u32 shadows, shadows_refused;
	__u32 ends, ends_refused;	/* and where a pair ends */
};

/*
 * WEFT_IOC_METRIC_ROWS: one CPU's rows of a metric, from row @first on, as many as there is room
 * for; @first is then where to go on, and 0xffffffff behind the last. Rows of one key are to be
 * added up over all CPUs. ENOENT, ERANGE; EMSGSIZE no room for one.
 */
#define WEFT_ROWS_END 0xffffffffu
struct weft_metric_rows {
	char name[WEFT_NAME_MAX]; /* in: the aspect's */
	__u32 index;		  /* in: of the metric */
	__u32 cpu;		  /* in */
	__u32 first;		  /* in and out */
	__u32 size;		  /* in: bytes */
	__u64 buffer;		  /* in: user address */
	__u32 used;		  /* out: bytes of whole rows */
	__u32 reserved;
};

/* @values is nr_values numbers; which is which: enum wr_value in runtime/metric-table.h. */
struct weft_metric_row {
	__u64 key;
	char text[64]; /* the key in words */
	__u64 values[];
};

/*
 * WEFT_IOC_METRIC_RESET: all of an aspect's metrics start at nothing again. What is left of an
 * aspect whose module is gone is forgotten. ENOENT.
 */
struct weft_metric_reset {
	char name[WEFT_NAME_MAX]; /* in */
};

/* ---- 4. advice that runs once ---------------------------------------------------------------- */

/*
 * What became of a joinpoint whose advice runs once there: it is taken out of the text when it has
 * run.
 */
enum weft_once {
	WEFT_ONCE_NOT = 0,     /* its advice runs each time, or it was not woven */
	WEFT_ONCE_WAITING = 1, /* it has not run yet */
	WEFT_ONCE_HIT = 2,     /* it has */
	WEFT_ONCE_OUT = 3,     /* it has, and the text there is what it was */
};

/*
 * WEFT_IOC_ONCE: enum weft_once of each of an aspect's joinpoints, as of its last weave. ENOENT no
 * such aspect, ENODATA it has no advice that runs once.
 */
struct weft_once_states {
	char name[WEFT_NAME_MAX]; /* in */
	__u64 buffer; /* in: user address of bytes, by the joinpoints' index */
	__u32 size;   /* in: bytes there is room for; out: joinpoints */
	__u32 reserved;
};

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

/* Three parties were compiled at different times: the shapes may not move between them. */
#define WEFT_ASSERT_SIZE(type, size) _Static_assert(sizeof(struct type) == (size), #type)
WEFT_ASSERT_SIZE(weft_aspect_header, 112);
WEFT_ASSERT_SIZE(weft_joinpoint, 56);
WEFT_ASSERT_SIZE(weft_info, 24);
WEFT_ASSERT_SIZE(weft_piece, 16);
WEFT_ASSERT_SIZE(weft_text, 24);
WEFT_ASSERT_SIZE(weft_splice, 48);
WEFT_ASSERT_SIZE(weft_weave, 136);
WEFT_ASSERT_SIZE(weft_unweave, 64);
WEFT_ASSERT_SIZE(weft_status, 160);
WEFT_ASSERT_SIZE(weft_shadow_status, 96);
WEFT_ASSERT_SIZE(weft_shadows, 72);
WEFT_ASSERT_SIZE(weft_read, 72);
WEFT_ASSERT_SIZE(weft_record, 64);
WEFT_ASSERT_SIZE(weft_value, 8);
WEFT_ASSERT_SIZE(weft_joinpoint_text, 656);
WEFT_ASSERT_SIZE(weft_metric_info, 464);
WEFT_ASSERT_SIZE(weft_metric_rows, 88);
WEFT_ASSERT_SIZE(weft_metric_row, 72);
WEFT_ASSERT_SIZE(weft_metric_reset, 56);
WEFT_ASSERT_SIZE(weft_once_states, 72);

#endif /* WEFT_ABI_H */
