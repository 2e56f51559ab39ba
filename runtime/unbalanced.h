/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What advice may have changed in its context and not undone (WEFT_WEAVE_BALANCE): preemption,
 * locks and the like, with one bit for each. A change is noted as a fault: its trap is
 * WEFT_TRAP_UNBALANCED, a number that no exception has, and its code has the bits. By then weft.ko
 * has undone all of these changes except locks. Included by weft.ko and by readers of struct
 * weft_fault.
 */
#ifndef WEFT_UNBALANCED_H
#define WEFT_UNBALANCED_H

#define WEFT_TRAP_UNBALANCED 0xf0u

/*
 * X(name, in words), by bit:
 *  - PREEMPTION: also a spin lock, if the kernel has no lockdep
 *  - SOFTIRQS: local_bh_disable()
 *  - RCU: read sections; only of preemptible RCU
 *  - LOCKS: only if the kernel has lockdep
 *  - USER_ACCESS: user_access_begin(), which is rflags.AC
 *  - DIRECTION: rflags.DF
 *  - ALLOCATION: memalloc_nofs_save() and the like
 *  - STATE: the task's state: it would sleep at the next schedule()
 *  - STACK: a return address near $rsp was overwritten; only if the advice reads $rsp
 */
#define WEFT_UNBALANCED(X)                   \
	X(PREEMPTION, "preemption")          \
	X(SOFTIRQS, "softirqs")              \
	X(INTERRUPTS, "interrupts")          \
	X(RCU, "RCU")                        \
	X(LOCKS, "locks")                    \
	X(PAGE_FAULTS, "page faults")        \
	X(MIGRATION, "migration")            \
	X(FPU, "the FPU")                    \
	X(USER_ACCESS, "user access")        \
	X(DIRECTION, "the direction flag")   \
	X(ALLOCATION, "an allocation scope") \
	X(STATE, "the task's state")         \
	X(STACK, "a return address")

enum {
#define WEFT_BIT(name, words) WEFT_UNBALANCED_##name##_BIT,
	WEFT_UNBALANCED(WEFT_BIT)
#undef WEFT_BIT
	WEFT_UNBALANCED_BITS
};

enum weft_unbalanced {
#define WEFT_MASK(name, words) WEFT_UNBALANCED_##name = 1 << WEFT_UNBALANCED_##name##_BIT,
	WEFT_UNBALANCED(WEFT_MASK)
#undef WEFT_MASK
};

#endif /* WEFT_UNBALANCED_H */
