/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records as they are in the rings (the buffers of the CPUs), and the requests of a recorder. A
 * recorder is a process that maps the rings and writes their records to files; the files have the
 * records in the same layout. It asks weft.ko for spans: a span is the oldest records of one CPU,
 * one after another and all of them whole. weft.ko keeps a span in the ring until the recorder's
 * next request says that the span was written. Included by abi.h only.
 */
#ifndef WEFT_ABI_RECORD_H
#define WEFT_ABI_RECORD_H

#include <linux/types.h>

#define WEFT_RECORD_ALIGN 4

/*
 * A record in a ring is an event of the Common Trace Format, CTF (docs/traces.md). It begins with
 * its event number and the lower bits of its time. It does not have the upper bits of its time, nor
 * its task: these are the same as for the record before it. Where they are not, a state record
 * comes first, which has them. All numbers are little-endian, and every record has a multiple of
 * WEFT_RECORD_ALIGN bytes.
 */

/*
 * The lowest two bits of a record say how it begins: the bits above them are its event number, 14
 * bits in a plain record, and 6 in a tight one. In an extended one, a state record, these 14 bits
 * are all set, and the event number and the whole time follow.
 */
enum weft_head {
	WEFT_HEAD_PLAIN = 0,
	WEFT_HEAD_TIGHT = 1,
	WEFT_HEAD_EXTENDED = 3,
};
#define WEFT_HEAD_BITS 2
#define WEFT_HEAD(event, how) ((event) << WEFT_HEAD_BITS | (how))
#define WEFT_HEAD_OF(head) ((head) & ((1u << WEFT_HEAD_BITS) - 1))
#define WEFT_HEAD_EVENT(head) ((head) >> WEFT_HEAD_BITS)

/*
 * The number of an event: 4 * (1 + the index of the weft_log() statement, WEFT_IOC_STATEMENT) + one
 * of these.
 */
enum weft_form {
	WEFT_FORM_NARROW = 0, /* struct weft_raw_record: only with WEFT_CONTENT_WORDS */
	/*
	 * struct weft_raw_wide: for joinpoints above WEFT_JOINPOINT_NARROW_MAX, and always with
	 * WEFT_CONTENT_PACKED
	 */
	WEFT_FORM_WIDE = 1,
	/*
	 * struct weft_raw_wide: its values are the text, NUL-terminated, since the arguments were
	 * too large
	 */
	WEFT_FORM_TEXT = 2,
	/*
	 * struct weft_raw_tight: only with WEFT_CONTENT_WORDS, for joinpoints up to
	 * WEFT_JOINPOINT_TIGHT_MAX and statements up to WEFT_STATEMENT_TIGHT_MAX, where the record
	 * before it is less than 2^16 nanoseconds older
	 */
	WEFT_FORM_TIGHT = 3,
};
#define WEFT_EVENT(statement, form) (4 * ((statement) + 1) + (form))
#define WEFT_EVENT_STATEMENT(event) ((event) / 4 - 1)
#define WEFT_EVENT_FORM(event) ((event) % 4)
#define WEFT_EVENT_TASK 0u	     /* a state record, struct weft_raw_state */
/*
 * A state record, too. It says that the task's user may read the records after it. Written only
 * while the aspect is published (WEFT_IOC_PUBLISH), and neither for hits of interrupts nor for a
 * task that the user could not look into with ptrace.
 */
#define WEFT_EVENT_OPEN 1u
/* The first two bytes of a state record. */
#define WEFT_EVENT_EXTENDED 0xffffu
#define WEFT_JOINPOINT_NARROW_MAX 0xffffu
#define WEFT_JOINPOINT_TIGHT_MAX 0xffu
#define WEFT_STATEMENT_TIGHT_MAX 14u /* the event numbers of further ones have more than 6 bits */

struct weft_raw_tight {
	__u8 head;	/* WEFT_HEAD(event, WEFT_HEAD_TIGHT) */
	__u16 time;	/* nanoseconds of the kernel's CLOCK_MONOTONIC, the lowest 16 bits */
	__u8 joinpoint; /* index into the aspect's table */
	__u8 values[];	/* the arguments: weft_statement_text.content */
} __attribute__((packed, aligned(4)));

struct weft_raw_record {
	__u16 head;	 /* WEFT_HEAD(event, WEFT_HEAD_PLAIN) */
	__u32 time;	 /* nanoseconds of the kernel's CLOCK_MONOTONIC, the lower half */
	__u16 joinpoint; /* index into the aspect's table */
	__u8 values[];	 /* the arguments: weft_statement_text.content */
} __attribute__((packed, aligned(4)));

/* In the description that readers of CTF get, @size is padding before the joinpoint. */
struct weft_raw_wide {
	__u16 head;	 /* as in struct weft_raw_record */
	__u32 time;
	__u16 size;	 /* bytes */
	__u32 joinpoint; /* index into the aspect's table, or WEFT_JOINPOINT_* */
	__u8 values[];
} __attribute__((packed, aligned(4)));

struct weft_raw_state {
	__u16 extended; /* WEFT_EVENT_EXTENDED */
	__u16 event;	/* WEFT_EVENT_TASK or WEFT_EVENT_OPEN */
	__u64 time;	/* the whole time of the record after this one */
	__u32 tid, pid, uid;
	__u32 lost; /* records lost on this CPU since the state record before this one */
	char comm[16];
} __attribute__((packed, aligned(4)));

/* How the arguments of a weft_log() statement are stored. */
enum weft_content {
	/* numbers of more than four bytes as eight, smaller ones as four, as they were passed */
	WEFT_CONTENT_WORDS = 0,
	/*
	 * As the kernel's vbin_printf() stores them: numbers of eight bytes aligned to four,
	 * smaller numbers aligned to their size, texts with their NUL.
	 */
	WEFT_CONTENT_PACKED = 1,
};

/*
 * A property of the kernel: WEFT_CONTENT_PACKED stores numbers of one and two bytes as four bytes.
 */
#define WEFT_PACKED_WIDE 1u

/*
 * WEFT_IOC_RECORD: makes the open file the recorder of an aspect, until the file is closed. mmap()
 * of the file then maps the ring of CPU n, for reading, twice in a row, at the offset n * 2 *
 * @size. The ring is mapped twice so that a record which begins at its end and goes on at its start
 * can be read in one piece. Errors:
 *   ENOENT: there is no such aspect
 *   EBUSY: the aspect's state is not WEFT_STATE_LOADED, or it has unread records, or a recorder;
 *	or the file is the recorder of another aspect
 *   EINVAL: @size is too large
 *   ENOMEM
 */
#define WEFT_RING_SIZE_MAX (64ull << 20)
struct weft_recorder {
	char name[WEFT_NAME_MAX];
	/* in: bytes of each CPU's ring, 0: leave the size as it is; out: the actual size */
	__u64 size;
	__u32 nr_cpus; /* out: all CPU numbers are below this */
	__u32 packed;  /* out: WEFT_PACKED_* */
};

/* The oldest records of a CPU. Times are nanoseconds of CLOCK_MONOTONIC. */
struct weft_span {
	__u64 begin;	  /* offset in the mapping of the ring */
	__u64 size;	  /* bytes of whole records; 0: there are none */
	__u64 records;	  /* number of records, without state records */
	__u64 first;	  /* the time of the first record */
	/* a time between that of the last record and that of the next record to come */
	__u64 last;
	__u64 lost; /* records lost on this CPU in all */
	/* the task of the first record, as in a struct weft_raw_state before it */
	__u32 tid, pid, uid;
	__u32 reserved;
	char comm[16];
};

/*
 * WEFT_IOC_SPANS: returns a span for each CPU. With WEFT_SPANS_WRITTEN, first consumes the spans
 * that the last request returned. Without this flag the same spans are returned again, with the
 * records that were written since at their ends. ENODATA: the file is no recorder of this aspect,
 * or the aspect's module is gone. EMSGSIZE: @nr is less than weft_recorder.nr_cpus.
 */
#define WEFT_SPANS_WRITTEN 1u
struct weft_spans {
	char name[WEFT_NAME_MAX];
	__u64 buffer; /* in: user address of struct weft_span[] */
	__u32 nr;     /* in: number of elements that the buffer has room for */
	__u32 flags;  /* in: WEFT_SPANS_* */
	/* out: the statements of these records have indices below this, for WEFT_IOC_STATEMENT */
	__u32 nr_statements;
	__u32 reserved;
};

/*
 * WEFT_IOC_STATEMENT: describes a weft_log() statement that has written a record. Two indices may
 * mean the same statement. Errors:
 * ENOENT: there is no such aspect
 * ENODATA: the aspect's module is gone
 * ERANGE: there is no such statement
 * EMSGSIZE: the buffer is too small
 */
struct weft_statement_text {
	char name[WEFT_NAME_MAX];
	__u32 index;   /* in */
	__u32 content; /* out: enum weft_content */
	/*
	 * in: user address to which two texts are copied, each with its NUL: the format, and the
	 * arguments as the author wrote them
	 */
	__u64 buffer;
	__u32 size;    /* in: bytes that the buffer holds; out: bytes used */
	__u32 reserved;
};

_Static_assert(sizeof(struct weft_raw_tight) == 4, "weft_raw_tight");
_Static_assert(WEFT_HEAD(WEFT_EVENT(WEFT_STATEMENT_TIGHT_MAX, WEFT_FORM_TIGHT), WEFT_HEAD_TIGHT) <
		       WEFT_EVENT_EXTENDED % 256, "the first byte of a tight record");
_Static_assert(sizeof(struct weft_raw_record) == 8, "weft_raw_record");
_Static_assert(sizeof(struct weft_raw_wide) == 12, "weft_raw_wide");
_Static_assert(sizeof(struct weft_raw_state) == 44, "weft_raw_state");
_Static_assert(sizeof(struct weft_recorder) == 72, "weft_recorder");
_Static_assert(sizeof(struct weft_span) == 80, "weft_span");
_Static_assert(sizeof(struct weft_spans) == 80, "weft_spans");
_Static_assert(sizeof(struct weft_statement_text) == 80, "weft_statement_text");

#endif /* WEFT_ABI_RECORD_H */
