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

#define WEFT_RECORD_ALIGN 8

/*
 * A record in a ring. In the Common Trace Format (docs/traces.md) it is an event: the header up to
 * @time, the context up to @comm. To readers of that format, @size and @lost are the padding
 * between a number of four bytes and one of eight.
 */
struct weft_raw_record {
	/* which weft_log() statement: its weft_statement_text.id, plus WEFT_STATEMENT_TEXT */
	__u32 statement;
	/*
	 * size of the record in bytes, a multiple of WEFT_RECORD_ALIGN; 0: it is still being
	 * written
	 */
	__u16 size;
	/*
	 * number of records lost on this CPU just before this one; if they do not fit into 16 bits,
	 * later records have the rest
	 */
	__u16 lost;
	__u64 time;	 /* nanoseconds of the kernel's CLOCK_MONOTONIC */
	__u32 joinpoint; /* index into the aspect's table, or WEFT_JOINPOINT_* */
	__u32 tid, pid, uid;
	char comm[16];
	__u64 words[]; /* the arguments, in the form that weft_statement_text.content says */
};

/*
 * A bit of weft_raw_record.statement: there was no room for the arguments, so the record has its
 * text instead, NUL-terminated.
 */
#define WEFT_STATEMENT_TEXT 1u

/* How the arguments of a weft_log() statement are stored. */
enum weft_content {
	/*
	 * each as eight bytes, as it was passed; the upper bytes of a smaller argument may be junk
	 */
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
 * @size. Twice, so that a record that begins at the ring's end and goes on at its begin can be read
 * in one piece. Errors:
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

/* The oldest records of a CPU. */
struct weft_span {
	__u64 begin;	  /* offset in the mapping of the ring */
	__u64 size;	  /* bytes of whole records; 0: there are none */
	__u64 last_begin; /* offset of the last record from @begin */
	__u64 records;
	__u64 first, last; /* the times of the first and the last record */
	__u64 lost;	   /* number of records lost on this CPU since its ring was made */
};

/*
 * WEFT_IOC_SPANS: with WEFT_SPANS_WRITTEN, consumes the spans that the last request returned, and
 * then returns the present ones. Without that flag, the same spans are returned again, together
 * with the records that were written since. ENODATA: the file is no recorder of this aspect, or the
 * aspect's module is gone. EMSGSIZE: @nr is less than the number of CPUs. E2BIG: the aspect has
 * more weft_log() statements than can be listed.
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
	__u32 index;	    /* in */
	/*
	 * out: the number by which records name the statement (weft_raw_record.statement); a
	 * multiple of 8
	 */
	__u32 id;
	__u32 content;	    /* out: enum weft_content */
	__u32 nr_arguments; /* out: number of arguments, only for WEFT_CONTENT_WORDS */
	/*
	 * in: user address of a buffer for the format, and for the arguments as the author wrote
	 * them, each with a NUL after it
	 */
	__u64 buffer;
	__u32 size; /* in: bytes that the buffer holds; out: bytes used */
	__u32 reserved;
};

#endif /* WEFT_ABI_RECORD_H */
