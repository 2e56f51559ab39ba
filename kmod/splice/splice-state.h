/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The life of a splice, as states. All of it under wk_mutex; the trap knows nothing of states.
 *
 *	        build        insert           remove        grace periods
 *	NONE --------> NEW ----------> LISTED ---------> OUT -----------> NONE
 *	                |               |  ^             |  ^
 *	                v           arm |  | disarm      v  | somebody's int3 is over the slot
 *	          NONE: it fails        |  |          BLOCKED_SLOT
 *	                                v  |
 *	     +--------------------------------------+
 *	     |   TRAP      OPTIMIZING ----> JUMP    |  each also to itself: another trampoline
 *	     +----|------------|--------------|-----+
 *	          |            |              |        unused, but somebody's int3 is over it
 *	          +------+-----+              |
 *	                 v                    v
 *	            BLOCKED_TRAP         BLOCKED_JUMP
 *	                 |                    |
 *	                 +------> LISTED <----+
 *
 * NONE: it is not allocated yet, or is freed.
 *
 * NEW: a weave has allocated it and makes its trampoline. Nobody else knows it. A weave that cannot
 * finish frees it.
 *
 * LISTED: it is in the table by address, so that the trap would find it, but none of its bytes is
 * in the text. A splice is there for a moment before it is armed and again after it was disarmed:
 * the table comes before the first int3 and goes after the last, since an int3 that nobody claims
 * is a crash. A weave whose verification fails takes it out of the table again.
 *
 * TRAP: an int3 is its first byte and stays: the splice is of that kind.
 *
 * OPTIMIZING: an int3 is its first byte until nobody can be in the middle of its displaced
 * instructions, or, of a springboard with a donor, until that donor has its jump. Then the jump is
 * written (optimize.c), which may take long and never happen; the splice works all the same.
 *
 * JUMP: the bytes of its kind are in the text: a jump, a call, or the short jump to a slot.
 *
 * BLOCKED_TRAP, BLOCKED_JUMP: nothing uses it any more, and it was to be disarmed; but its bytes
 * are not as weft wrote them, or a kprobe sits on them. Whoever did that has a copy of our int3 or
 * jump and may restore it, so the bytes, the table's entry and the trampoline, without advice,
 * stay. No weave may join it. Retirement tries again until it can be disarmed.
 *
 * OUT: the original bytes are back and it is in no table. Tasks may still be in its trampoline, or
 * on the jump in its slot: it is freed after grace periods (retire.c).
 *
 * BLOCKED_SLOT: all that OUT is, and nobody can be on the jump in its slot in padding any more; but
 * that jump is not as weft wrote it, or a kprobe sits on it. It waits like a blocked splice.
 */
#ifndef WK_SPLICE_STATE_H
#define WK_SPLICE_STATE_H

#include <linux/types.h>

#include "base/self-check.h"

enum wk_splice_state {
	WK_STATE_NONE,
	WK_STATE_NEW,
	WK_STATE_LISTED,
	WK_STATE_TRAP,
	WK_STATE_OPTIMIZING,
	WK_STATE_JUMP,
	WK_STATE_BLOCKED_TRAP,
	WK_STATE_BLOCKED_JUMP,
	WK_STATE_OUT,
	WK_STATE_BLOCKED_SLOT,
	WK_STATES
};

/* Is weft's int3 its first byte in the text? */
static inline bool wk_state_is_trap(enum wk_splice_state state)
{
	return state == WK_STATE_TRAP || state == WK_STATE_OPTIMIZING ||
	       state == WK_STATE_BLOCKED_TRAP;
}

/* Are the bytes of its kind in the text? */
static inline bool wk_state_is_jump(enum wk_splice_state state)
{
	return state == WK_STATE_JUMP || state == WK_STATE_BLOCKED_JUMP;
}

/* Is it unused, and kept in the text by somebody else's bytes? */
static inline bool wk_state_is_blocked(enum wk_splice_state state)
{
	return state == WK_STATE_BLOCKED_TRAP || state == WK_STATE_BLOCKED_JUMP;
}

/* May @to follow @from? */
bool wk_state_may_follow(enum wk_splice_state from, enum wk_splice_state to);

/* What debug builds do with each transition of the splice at @address: warn where it is illegal. */
void wk_state_check(enum wk_splice_state from, enum wk_splice_state to, unsigned long address);

/* Returns @to, the state that the splice at @address enters from @from. */
static inline enum wk_splice_state wk_state_enter(enum wk_splice_state from,
						  enum wk_splice_state to, unsigned long address)
{
	if (WK_DEBUG_BUILD)
		wk_state_check(from, to, address);
	return to;
}

#endif /* WK_SPLICE_STATE_H */
