/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The states of a splice. All of them change under wk_mutex; the trap does not look at states.
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
 * NONE: it is not allocated yet, or it was freed.
 *
 * NEW: a weave has allocated it and makes its trampoline. Only that weave can reach it; the weave
 * frees it if it fails.
 *
 * LISTED: it is in the table by address, where the trap looks it up, but none of its bytes are in
 * the text. A splice is in this state briefly before it is armed and after it was disarmed: it must
 * be in the table before its first int3 is written and until the last is gone, because an int3 that
 * no handler claims is a crash. A weave whose verification fails removes it from the table again.
 *
 * TRAP: its first byte is an int3 and stays so: this is a splice of kind trap.
 *
 * OPTIMIZING: its first byte is an int3 until no task can be in the middle of its displaced
 * instructions; for a springboard with a donor, also until the donor's jump is written. Then its
 * own jump is written (optimize.c). That may take long or never happen; the splice works meanwhile.
 *
 * JUMP: the bytes of its kind are in the text: a jump, a call, or the short jump to a slot.
 *
 * BLOCKED_TRAP, BLOCKED_JUMP: it is unused and should be disarmed, but its bytes are not as weft
 * wrote them, or a kprobe sits on them. The other writer has a copy of weft's int3 or jump and may
 * restore it. So the bytes, the table entry and the trampoline (without advice) stay. No weave may
 * share it. Retirement tries again until it can be disarmed.
 *
 * OUT: the original bytes are restored (or its module was unloaded), and it is in no table. Tasks
 * may still be in its trampoline, or on the jump in its slot, so it is freed after grace periods
 * (retire.c).
 *
 * BLOCKED_SLOT: like OUT, and no task can be on the jump in its slot in padding any more. But that
 * jump is not as weft wrote it, or a kprobe sits on it. Retirement tries again, as above.
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

/* Is the first byte of a splice in state @state weft's int3 in the text? */
static inline bool wk_state_is_trap(enum wk_splice_state state)
{
	return state == WK_STATE_TRAP || state == WK_STATE_OPTIMIZING ||
	       state == WK_STATE_BLOCKED_TRAP;
}

/* Does the text have the jump, call or short jump of a splice in state @state? */
static inline bool wk_state_is_jump(enum wk_splice_state state)
{
	return state == WK_STATE_JUMP || state == WK_STATE_BLOCKED_JUMP;
}

/*
 * Is a splice in state @state unused, but kept in the text because another writer's bytes or a
 * kprobe are over it?
 */
static inline bool wk_state_is_blocked(enum wk_splice_state state)
{
	return state == WK_STATE_BLOCKED_TRAP || state == WK_STATE_BLOCKED_JUMP;
}

/* May @to follow @from? */
bool wk_state_may_follow(enum wk_splice_state from, enum wk_splice_state to);

/* Debug builds: warns if the transition of the splice at @address (live) is not allowed. */
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
