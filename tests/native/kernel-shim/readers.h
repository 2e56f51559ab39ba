/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declares what kmod/record/view.c needs of a kernel beside kernel.h: CPUs with a ring each, and a
 * spinlock that notes what was done while it was held. A test that includes this header includes
 * the C files of kmod/record after it. There is one thread, so nobody waits for the lock. What
 * other CPUs would do meanwhile, shim_elsewhere() does whenever the lock was released.
 */
#ifndef SHIM_READERS_H
#define SHIM_READERS_H

#include <stdio.h>
#include <sys/types.h>
#include <time.h>

/* ---- CPUs ------------------------------------------------------------------------------------ */

enum { SHIM_CPUS = 64 };

static int shim_this_cpu;

#undef per_cpu_ptr
#undef for_each_possible_cpu
#define per_cpu_ptr(pointer, cpu) (&(pointer)[cpu])
#define this_cpu_ptr(pointer) (&(pointer)[shim_this_cpu])
#define for_each_possible_cpu(cpu) for ((cpu) = 0; (cpu) < SHIM_CPUS; (cpu)++)
#define nr_cpu_ids SHIM_CPUS
#define num_possible_cpus() SHIM_CPUS
#define cpu_online(cpu) ((void)(cpu), true)
#define cpus_read_lock() ((void)0)
#define cpus_read_unlock() ((void)0)
#define synchronize_rcu() ((void)0)
#define on_each_cpu(function, argument, wait)                                        \
	do {                                                                         \
		for (shim_this_cpu = 0; shim_this_cpu < SHIM_CPUS; shim_this_cpu++) \
			(function)(argument);                                        \
		shim_this_cpu = 0;                                                   \
	} while (0)

/* ---- the lock -------------------------------------------------------------------------------- */

enum { SHIM_US = 10000 };

/* What was done while the lock was held once. */
struct shim_hold {
	u64 pauses;	 /* how often a writer was waited for */
	u64 comparisons; /* how many formats were searched for words */
};

/* Since shim_holds_reset(): the most of each in any hold, and the times of all holds. */
static struct shim_hold shim_hold, shim_most;
static u64 shim_holds, shim_holds_of_us[SHIM_US + 1], shim_begun;
/* What other CPUs do when the lock was released; NULL: nothing. */
static void (*shim_elsewhere)(void);

static inline u64 shim_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

static inline void shim_holds_reset(void)
{
	shim_most = (struct shim_hold){ 0 };
	shim_holds = 0;
	memset(shim_holds_of_us, 0, sizeof(shim_holds_of_us));
}

/*
 * Returns how many microseconds 99 of 100 holds took at most. The others say nothing about the
 * code: meanwhile the processor ran something else.
 */
static inline unsigned int shim_longest_us(void)
{
	u64 rest = shim_holds / 100;
	unsigned int us = SHIM_US;

	for (; us && rest >= shim_holds_of_us[us]; us--)
		rest -= shim_holds_of_us[us];
	return us + 1;
}

static inline void spin_lock(spinlock_t *lock)
{
	assert(!lock->held);
	lock->held = true;
	shim_hold = (struct shim_hold){ 0 };
	shim_begun = shim_ns();
}

static inline void spin_unlock(spinlock_t *lock)
{
	const u64 us = (shim_ns() - shim_begun) / 1000;

	assert(lock->held);
	lock->held = false;
	shim_holds++;
	shim_holds_of_us[min_t(u64, us, SHIM_US)]++;
	shim_most.pauses = max(shim_most.pauses, shim_hold.pauses);
	shim_most.comparisons = max(shim_most.comparisons, shim_hold.comparisons);
	if (shim_elsewhere)
		shim_elsewhere();
}

#define DEFINE_SPINLOCK(name) spinlock_t name
#define wr_ring_pause() (shim_hold.pauses++, __builtin_ia32_pause())
#define strstr(text, words) (shim_hold.comparisons++, (strstr)(text, words))

/* ---- the rest -------------------------------------------------------------------------------- */

typedef u32 kuid_t;

#define uid_eq(a, b) ((a) == (b))
#define GFP_KERNEL_ACCOUNT GFP_KERNEL
#define BITS_TO_LONGS(bits) (((bits) + BITS_PER_LONG - 1) / BITS_PER_LONG)
#define fatal_signal_pending(task) ((void)(task), false)
#define usleep_range(least, most) ((void)(least), (void)(most))
#define __aligned(bytes) __attribute__((aligned(bytes)))

static inline bool test_bit(unsigned int bit, const unsigned long *bits)
{
	return bits[bit / BITS_PER_LONG] >> bit % BITS_PER_LONG & 1;
}

#undef strscpy
static inline ssize_t strscpy(char *to, const char *from, size_t size)
{
	const size_t length = strnlen(from, size - 1);

	memcpy(to, from, length);
	to[length] = '\0';
	return from[length] ? -E2BIG : (ssize_t)length;
}

/* No record of a test has its arguments in the kernel's binary form. */
#define bstr_printf(text, size, format, arguments) \
	shim_bug("a record in binary form: %s\n", ((void)(arguments), (void)(text), format))

#endif /* SHIM_READERS_H */
