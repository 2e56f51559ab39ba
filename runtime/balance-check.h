/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds, at compile time, advice that certainly does not give back what it takes, such as a lock.
 * The body of each advice has a struct weft_taken with a count for each kind of thing that can be
 * taken, and the kernel's functions that take and give back are redefined here so that they change
 * these counts. Suppose that the compiler can compute a count at a return of the body. If that is
 * 0, nothing is left in the code. If it is not 0, a call of weft_unbalanced_NAME() is left, a
 * function that does nothing; after the compile the weaver looks for such calls
 * (weaver/module/check-calls.c). If the compiler cannot compute the count, nothing is left either,
 * and only `weft weave --check` can find the mistake.
 *
 * Functions that the author defines are not counted. So a body that takes something must give it
 * back itself, not through such a function.
 *
 * Included by generated code only, before the author's headers.
 */
#ifndef WEFT_BALANCE_CHECK_H
#define WEFT_BALANCE_CHECK_H

#include <linux/bottom_half.h>
#include <linux/irqflags.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/spinlock.h>
#include <linux/uaccess.h>
#include <asm/fpu/api.h>

/* X(member, name in unbalanced.h) */
#define WEFT_TAKEN(X)                \
	X(preemption, PREEMPTION)    \
	X(softirqs, SOFTIRQS)        \
	X(interrupts, INTERRUPTS)    \
	X(rcu, RCU)                  \
	X(locks, LOCKS)              \
	X(page_faults, PAGE_FAULTS)  \
	X(migration, MIGRATION)      \
	X(fpu, FPU)

#define WEFT_TAKEN_MARK(member, name)                                    \
	static noinline __maybe_unused void weft_unbalanced_##name(void) \
	{                                                                \
		/* keeps the call; the text differs for each mark */     \
		asm volatile("/* " #name " */");                         \
	}
WEFT_TAKEN(WEFT_TAKEN_MARK)
#undef WEFT_TAKEN_MARK

struct weft_taken {
#define WEFT_TAKEN_COUNT(member, name) int member;
	WEFT_TAKEN(WEFT_TAKEN_COUNT)
#undef WEFT_TAKEN_COUNT
};

/* The type of the variable `weft_taken` outside of bodies, where nothing is counted. */
struct weft_taken_nowhere;
static struct weft_taken_nowhere *const weft_taken __maybe_unused;

/*
 * Runs when the body of an advice returns: calls weft_unbalanced_NAME() for each count that the
 * compiler can compute and that is not 0.
 */
static __always_inline void weft_taken_end(const struct weft_taken *taken)
{
#define WEFT_TAKEN_TEST(member, name)                              \
	if (__builtin_constant_p(taken->member) && taken->member) \
		weft_unbalanced_##name();
	WEFT_TAKEN(WEFT_TAKEN_TEST)
#undef WEFT_TAKEN_TEST
}

#define WEFT_BODY_BEGIN                                                              \
	struct weft_taken weft_taken_here __attribute__((cleanup(weft_taken_end))) = \
		{ 0 };                                                               \
	struct weft_taken *const weft_taken __maybe_unused = &weft_taken_here

static __always_inline void weft_taken_ignore(struct weft_taken_nowhere *taken)
{
}

#define WEFT_TAKEN_ADD(member, name)                                                         \
	static __always_inline void weft_take_##member(struct weft_taken *taken)              \
	{                                                                                    \
		taken->member++;                                                             \
	}                                                                                    \
	static __always_inline void weft_give_##member(struct weft_taken *taken)              \
	{                                                                                    \
		taken->member--;                                                             \
	}
WEFT_TAKEN(WEFT_TAKEN_ADD)
#undef WEFT_TAKEN_ADD

#define WEFT_COUNT(how)                                     \
	_Generic(weft_taken, struct weft_taken *: weft_##how, \
		 struct weft_taken *const: weft_##how, default: weft_taken_ignore)(weft_taken)

/* ---- the kernel's functions that take and give back ------------------------------------------ */

/* Functions that contain macros of the kernel, whose names are redefined below. */
#define WEFT_REAL(function)                                                   \
	static __always_inline __maybe_unused void weft_real_##function(void) \
	{                                                                     \
		function();                                                   \
	}
WEFT_REAL(preempt_disable)
WEFT_REAL(preempt_enable)
WEFT_REAL(local_irq_disable)
WEFT_REAL(local_irq_enable)
#undef WEFT_REAL

static __always_inline __maybe_unused unsigned long weft_real_irq_save(void)
{
	unsigned long flags;

	local_irq_save(flags);
	return flags;
}

static __always_inline __maybe_unused void weft_real_irq_restore(unsigned long flags)
{
	local_irq_restore(flags);
}

#undef preempt_disable
#undef preempt_enable
#undef local_irq_disable
#undef local_irq_enable
#undef local_irq_save
#undef local_irq_restore
#define preempt_disable() (WEFT_COUNT(take_preemption), weft_real_preempt_disable())
#define preempt_enable() (WEFT_COUNT(give_preemption), weft_real_preempt_enable())
#define local_irq_disable() (WEFT_COUNT(take_interrupts), weft_real_local_irq_disable())
#define local_irq_enable() (WEFT_COUNT(give_interrupts), weft_real_local_irq_enable())
#define local_irq_save(flags) \
	(WEFT_COUNT(take_interrupts), (void)((flags) = weft_real_irq_save()))
#define local_irq_restore(flags) (WEFT_COUNT(give_interrupts), weft_real_irq_restore(flags))

/*
 * The kernel has functions of these names. A macro's own name is not expanded again inside the
 * macro, so each macro calls the kernel's function.
 */
#define local_bh_disable() (WEFT_COUNT(take_softirqs), local_bh_disable())
#define local_bh_enable() (WEFT_COUNT(give_softirqs), local_bh_enable())
#define rcu_read_lock() (WEFT_COUNT(take_rcu), rcu_read_lock())
#define rcu_read_unlock() (WEFT_COUNT(give_rcu), rcu_read_unlock())
#define spin_lock(lock) (WEFT_COUNT(take_locks), spin_lock(lock))
#define spin_unlock(lock) (WEFT_COUNT(give_locks), spin_unlock(lock))
#define pagefault_disable() (WEFT_COUNT(take_page_faults), pagefault_disable())
#define pagefault_enable() (WEFT_COUNT(give_page_faults), pagefault_enable())
#define migrate_disable() (WEFT_COUNT(take_migration), migrate_disable())
#define migrate_enable() (WEFT_COUNT(give_migration), migrate_enable())
#define kernel_fpu_begin() (WEFT_COUNT(take_fpu), kernel_fpu_begin())
#define kernel_fpu_end() (WEFT_COUNT(give_fpu), kernel_fpu_end())

#endif /* WEFT_BALANCE_CHECK_H */
