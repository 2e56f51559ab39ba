/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records as they are: the layout of a record in its CPU's ring, which is that of a recording, and
 * the requests of a recorder. A recorder maps the rings and writes what is in them to files. It
 * asks for spans: whole records, the oldest of each CPU. weft.ko keeps a span until the next
 * request says that it has been written. Included by abi.h only.
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
	__u32 statement; /* which weft_log(): weft_statement_text.id, with WEFT_STATEMENT_TEXT */
	__u16 size;	 /* bytes, a multiple of WEFT_RECORD_ALIGN; 0: it is still being written */
	/* records lost on this CPU just before this one; of very many a later one has the rest */
	__u16 lost;
	__u64 time;	 /* nanoseconds of the kernel's CLOCK_MONOTONIC */
	__u32 joinpoint; /* index into the aspect's table, or WEFT_JOINPOINT_* */
	__u32 tid, pid, uid;
	char comm[16];
	__u64 words[]; /* the arguments: weft_statement_text.content */
};

/* The arguments had no room, so the record has its text instead, NUL-terminated. */
#define WEFT_STATEMENT_TEXT 1u

/* How the arguments of a weft_log() are stored. */
enum weft_content {
	/* each as eight bytes, as it was passed: the upper half of a small one may be junk */
	WEFT_CONTENT_WORDS = 0,
	/*
	 * as the kernel's vbin_printf() stores them: numbers of eight bytes aligned to four,
	 * smaller ones to their size, texts with their NUL
	 */
	WEFT_CONTENT_PACKED = 1,
};

/* A property of the kernel: WEFT_CONTENT_PACKED has numbers of one and two bytes as four. */
#define WEFT_PACKED_WIDE 1u

/*
 * WEFT_IOC_RECORD: makes the open file the recorder of an aspect, until it is closed. Then mmap()
 * of it maps the ring of CPU n, for reading, twice in a row, at the offset n * 2 * @size. ENOENT no
 * such aspect, EBUSY it is woven, has unread records or a recorder, or the file has another aspect,
 * EINVAL @size is too large, ENOMEM.
 */
#define WEFT_RING_SIZE_MAX (64ull << 20)
struct weft_recorder {
	char name[WEFT_NAME_MAX];
	__u64 size;    /* in: bytes of each CPU's ring, 0: as it is; out: what it is */
	__u32 nr_cpus; /* out: numbers of CPUs are less than that */
	__u32 packed;  /* out: WEFT_PACKED_* */
};

/* The oldest records of a CPU. */
struct weft_span {
	__u64 begin;	  /* offset in the mapping of the ring */
	__u64 size;	  /* bytes of whole records; 0: there are none */
	__u64 last_begin; /* offset from @begin of the last record */
	__u64 records;
	__u64 first, last; /* the times of the first and the last record */
	__u64 lost;	   /* records lost on this CPU in all */
};

/*
 * WEFT_IOC_SPANS: with WEFT_SPANS_WRITTEN, consumes the spans that the last request returned; then
 * returns those that there are. Without it, the same ones are returned again, longer by what has
 * come. ENODATA: the file is no recorder of this aspect, or the aspect's module is gone. EMSGSIZE:
 * @nr is less than the number of CPUs. E2BIG: the aspect has more weft_log() statements than can be
 * listed.
 */
#define WEFT_SPANS_WRITTEN 1u
struct weft_spans {
	char name[WEFT_NAME_MAX];
	__u64 buffer; /* in: user address of struct weft_span[] */
	__u32 nr;     /* in: elements that the buffer holds */
	__u32 flags;  /* in: WEFT_SPANS_* */
	/* out: statements that these records may be of: WEFT_IOC_STATEMENT has those below it */
	__u32 nr_statements;
	__u32 reserved;
};

/*
 * WEFT_IOC_STATEMENT: describes a weft_log() that has written a record. Two indices may have the
 * same statement. ENOENT no such aspect, ENODATA its module is gone, ERANGE no such statement,
 * EMSGSIZE the buffer is too small.
 */
struct weft_statement_text {
	char name[WEFT_NAME_MAX];
	__u32 index;	    /* in */
	__u32 id;	    /* out: a multiple of 8 */
	__u32 content;	    /* out: enum weft_content */
	__u32 nr_arguments; /* out, with WEFT_CONTENT_WORDS */
	/* in: user address: the format and the arguments as the author wrote them, with NULs */
	__u64 buffer;
	__u32 size; /* in: bytes that the buffer holds; out: bytes used */
	__u32 reserved;
};

#endif /* WEFT_ABI_RECORD_H */
