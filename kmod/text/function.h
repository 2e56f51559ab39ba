/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions of the live kernel, decoded from their first byte to their last: where instructions
 * begin, where branches lead, and what is to be known about a function before one of its
 * instructions is spliced. Decoding is what checking a plan costs most, so it is kept from one
 * request to the next, as long as the text stays what it was. Process context, may sleep; under
 * wk_mutex.
 */
#ifndef WK_FUNCTION_H
#define WK_FUNCTION_H

#include <linux/list.h>
#include <linux/types.h>

#include "runtime/abi.h"

struct wk_function {
	struct hlist_node node; /* by start */
	unsigned long start;	/* live */
	unsigned int size;	/* bytes up to the next symbol */
	unsigned int known;	/* bytes that were decoded */
	enum weft_refusal why;	/* why no more were: KPROBE, UNDECODABLE */
	bool sanitize;		/* it may run with the direction flag set or user memory open */
	bool lost;		/* a branch that nobody can follow is in it */
	/* what was found may be otherwise at the next request, though the text is not */
	bool passing;
	u64 request;		/* the last that compared it with the text */
	u8 *text;		/* original bytes */
	unsigned long *begins;	/* a bit for each byte: an instruction begins here */
	/*
	 * likewise: control may come here; its own branches at first, all ways once single-entry.c
	 * has looked
	 */
	unsigned long *entered;
	s32 *exits;		/* where its jumps lead outside of it, less its start */
	unsigned int nr_exits;
	/*
	 * Whether @entered is all there is; IF_C: it is, if the function is C, which is for the
	 * aspect's table to say.
	 */
	enum {
		WK_ENTRIES_UNKNOWN,
		WK_ENTRIES_UNKNOWABLE,
		WK_ENTRIES_IF_C,
		WK_ENTRIES_KNOWN
	} displaceable;
	/* whether all of it is forbidden for @forbidden_why */
	enum { WK_BLACKLIST_UNKNOWN, WK_BLACKLIST_WHOLE, WK_BLACKLIST_PART } blacklisted;
	enum weft_refusal forbidden_why; /* NONE: it is not */
	/*
	 * What of it is ftrace's, which does not change: nothing, one entry of five bytes, or what
	 * it has to be asked each time.
	 */
	enum { WK_FTRACE_UNKNOWN, WK_FTRACE_NONE, WK_FTRACE_ENTRY, WK_FTRACE_ASK } ftrace;
	u8 entry_at; /* that entry, from its start */
	/* Likewise: a springboard's jump may be put here; NULL: not looked at (padding.c). */
	unsigned long *padding;
};

/*
 * A request begins: what was decoded before it is compared with the text before it is used again.
 * Pointers from before are void.
 */
void wk_functions_begin(void);
void wk_functions_deinit(void);

/*
 * The function that @address lies in; it stays until the next wk_functions_begin(). NULL where none
 * does or memory is short.
 */
struct wk_function *wk_function_at(unsigned long address);

static inline bool wk_function_holds(const struct wk_function *function, unsigned long address)
{
	return address - function->start < function->size;
}

/* Does an instruction begin at @address, which lies in it? NONE, BOUNDARY, or why nobody knows. */
enum weft_refusal wk_function_boundary(const struct wk_function *function, unsigned long address);

#endif /* WK_FUNCTION_H */
