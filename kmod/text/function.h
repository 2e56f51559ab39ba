/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions of the live kernel, decoded from first byte to last: where instructions begin, where
 * branches lead, and what else must be known about a function before one of its instructions is
 * spliced. Decoding is the most expensive part of checking a plan, so results are kept from one
 * request to the next, as long as the text does not change. Process context, may sleep; under
 * wk_mutex.
 */
#ifndef WK_FUNCTION_H
#define WK_FUNCTION_H

#include <linux/list.h>
#include <linux/types.h>

#include "runtime/abi.h"

struct wk_function {
	struct hlist_node node; /* in the table of functions, by start */
	unsigned long start;	/* live address */
	unsigned int size;	/* bytes up to the next symbol */
	unsigned int known;	/* bytes decoded, from the start */
	enum weft_refusal why;	/* why decoding stopped after @known bytes: KPROBE, UNDECODABLE */
	bool sanitize; /* the function may run with the direction flag set or user memory open */
	bool lost;		/* the function has a branch whose targets are unknown */
	/* what was decoded depends on a kprobe: decode again at the next request */
	bool passing;
	u64 request;		/* the last request in which ->text was compared with the text */
	u8 *text;		/* original bytes */
	unsigned long *begins;	/* one bit per byte: an instruction begins here */
	/*
	 * one bit per byte: the byte is a branch target. At first only the targets of the
	 * function's own branches are set; single-entry.c adds those of all other branches
	 */
	unsigned long *entered;
	s32 *exits;		/* targets of the function's jumps to outside, minus ->start */
	unsigned int nr_exits;
	/*
	 * Whether ->entered holds all branch targets. IF_C: only if the function was compiled from
	 * C. The live text does not show that; the table of joinpoints in the aspect's module may
	 * say so.
	 */
	enum {
		WK_ENTRIES_UNKNOWN,
		WK_ENTRIES_UNKNOWABLE,
		WK_ENTRIES_IF_C,
		WK_ENTRIES_KNOWN
	} displaceable;
	/*
	 * WHOLE: ->blacklist_refusal holds for all of its bytes; PART: each address must be looked
	 * up
	 */
	enum { WK_BLACKLIST_UNKNOWN, WK_BLACKLIST_WHOLE, WK_BLACKLIST_PART } blacklisted;
	enum weft_refusal blacklist_refusal; /* why it is blacklisted; NONE: it is not */
	/*
	 * Which of the function's bytes ftrace owns.
	 * UNKNOWN: not looked up yet.
	 * NONE: no byte.
	 * ENTRY: the five bytes at ->entry_at, and no others.
	 * ASK: others, which are not noted here; ftrace must be asked about each range of bytes.
	 */
	enum { WK_FTRACE_UNKNOWN, WK_FTRACE_NONE, WK_FTRACE_ENTRY, WK_FTRACE_ASK } ftrace;
	/*
	 * NONE: no patch site and no entry of the exception table is in the function; SOME: each
	 * address must be looked up (text-check.c)
	 */
	enum { WK_SITES_UNKNOWN, WK_SITES_NONE, WK_SITES_SOME } sites;
	u8 entry_at; /* if ->ftrace is ENTRY: offset of ftrace's five bytes from ->start */
	/*
	 * one bit per byte: padding, where a springboard slot may be; NULL: not computed yet
	 * (padding.c)
	 */
	unsigned long *padding;
};

/*
 * Called when a request begins: from now on each function that was decoded before is compared with
 * the text before it is used again. Pointers returned earlier become invalid.
 */
void wk_functions_begin(void);

/*
 * Forgets the functions that begin between @start and @end, which is text that is about to be
 * freed.
 */
void wk_functions_forget(unsigned long start, unsigned long end);
void wk_functions_deinit(void);

/*
 * Returns the function that holds @address (live); valid until the next wk_functions_begin(). NULL
 * if there is none or memory is short.
 */
struct wk_function *wk_function_at(unsigned long address);

static inline bool wk_function_holds(const struct wk_function *function, unsigned long address)
{
	return address - function->start < function->size;
}

/*
 * Does an instruction begin at @address, which lies in @function? Returns NONE if so, BOUNDARY if
 * not, or the reason why that is unknown.
 */
enum weft_refusal wk_function_boundary(const struct wk_function *function, unsigned long address);

#endif /* WK_FUNCTION_H */
