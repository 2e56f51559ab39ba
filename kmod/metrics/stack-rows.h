/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of ORC, the kernel's unwinding table, kept by instruction so that one load finds them: what
 * the walk over a stack needs of each frame (stack.c). Rows are kept of the kernel's own text and
 * of that of live modules. When a module is unloaded, all rows are dropped.
 *
 * A row is one word, so that any CPU may read and replace it without a lock. It is kept by its
 * *key*: the return address, for the row of the call before it; for an interrupted instruction, its
 * address plus 1. The word has, from its highest bit on:
 *
 *	16 bits	distance in bytes from the frame's base to the previous stack pointer; of
 *		WK_ROW_REGS: to the struct pt_regs
 *	13 bits	distance from the previous stack pointer to the saved frame pointer, in words; 0: it
 *		was not saved, and is still in its register
 *	 3 bits	enum wk_row_kind
 *	32 bits	the lower half of the key. The upper half is that of all kernel text
 */
#ifndef WK_STACK_ROWS_H
#define WK_STACK_ROWS_H

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/types.h>

/* 0: there is no row. */
typedef u64 wk_row;

/*
 * What a row says of its frame. The values let one test find what is plain (bit 0 is 0), and one
 * what is neither plain nor WK_ROW_SAVES (bit 1 or 2 is 1).
 */
enum wk_row_kind {
	WK_ROW_PLAIN = 0, /* the base is the stack pointer, the frame pointer is in its register */
	WK_ROW_SAVES = 1, /* the base is the stack pointer, the frame pointer is saved */
	WK_ROW_BASED = 3, /* the base is the frame pointer */
	WK_ROW_REGS = 5,  /* the base is the stack pointer; there is a struct pt_regs */
	/*
	 * One of three, by the row's distance. Positive: the base is in the word at the stack
	 * pointer. Negative: the previous stack pointer is in the word at that distance from the
	 * frame pointer, and the caller's frame pointer in the word at the frame pointer. 0: there
	 * is no caller.
	 */
	WK_ROW_OTHER = 7,
};

enum { WK_ROW_KIND_MASK = 7, WK_ROWS_BITS = 13 };

static __always_inline enum wk_row_kind wk_row_kind(wk_row row)
{
	return row >> 32 & WK_ROW_KIND_MASK;
}

/* The row's distance in bytes, the upper 16 bits of its word. Its sign: see WK_ROW_OTHER. */
static __always_inline long wk_row_distance(wk_row row)
{
	return (s64)row >> 48;
}

/*
 * Returns the bytes from the previous stack pointer to the saved frame pointer: negative, or 0 if
 * it was not saved. @kind: the kind of @row.
 */
static __always_inline long wk_row_saved(wk_row row, enum wk_row_kind kind)
{
	return (s16)(row >> 32) - (long)kind;
}

static __always_inline bool wk_row_is_plain(wk_row row)
{
	return !(row & BIT_ULL(32));
}

/* Is the row neither plain nor WK_ROW_SAVES? */
static __always_inline bool wk_row_is_special(wk_row row)
{
	return row & (u64)(WK_ROW_KIND_MASK & ~WK_ROW_SAVES) << 32;
}

/* Has @row been kept by @key? */
static __always_inline bool wk_row_is_of(wk_row row, unsigned long key)
{
	return (unsigned long)(long)(s32)row == key;
}

/* A multiplicative hash: where in the table the row of @key is looked for first. */
static __always_inline unsigned int wk_row_index(unsigned long key)
{
	return (u32)key * 0x61c88647u >> (32 - WK_ROWS_BITS);
}

/* The table, of 2^WK_ROWS_BITS rows. */
extern wk_row wk_rows[1 << WK_ROWS_BITS];

/*
 * Increases after rows were dropped. What was made of rows is right as long as this number is what
 * it was before the first of them was read.
 */
extern atomic_t wk_rows_generation;

/*
 * Returns the row of @key, and keeps it in the table. The caller has not found it at
 * wk_row_index(@key). 0: the kernel has no row for @key, or it must be left to the kernel's
 * unwinder. Any context, with preemption off.
 */
wk_row wk_row_find(unsigned long key);

/*
 * wk_rows_init() finds the kernel's own table of ORC. Returns 0, or an error of
 * register_module_notifier(). wk_rows_known(): was the table found, with the format that the
 * kernel's headers have?
 */
int wk_rows_init(void);
void wk_rows_deinit(void);
bool wk_rows_known(void);

#endif /* WK_STACK_ROWS_H */
