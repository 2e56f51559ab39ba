/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports which code of the kernel a system call has run, by /sys/kernel/debug/kcov, for programs
 * that make random input and keep what reaches new code. In a kernel without kcov nothing is ever
 * new. Child processes share the sets of known code; each child has to call coverage_begin().
 */
#ifndef WEFT_TEST_COVERAGE_H
#define WEFT_TEST_COVERAGE_H

#include <fcntl.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define COVERAGE_DEVICE "/sys/kernel/debug/kcov"
/* These requests are those of <linux/kcov.h>. */
#define COVERAGE_INIT_TRACE _IOR('c', 1, unsigned long)
#define COVERAGE_ENABLE _IO('c', 100)

/*
 * COVERAGE_TRACE is the most words that a system call's trace keeps; the rest is lost. COVERAGE_SET
 * is the number of bits in each set of struct coverage_known.
 */
enum { COVERAGE_TRACE = 1 << 16, COVERAGE_SET = 1 << 20 };

/*
 * Code that has run, as bit sets indexed by a hash: PCs, and edges, which are pairs of successive
 * PCs.
 */
struct coverage_known {
	unsigned int nr_places, nr_edges;
	uint64_t places[COVERAGE_SET / 64], edges[COVERAGE_SET / 64];
};

static struct coverage_known *coverage_known;
/* The kernel's trace of this process: a number, and as many PCs after it. NULL without kcov. */
static unsigned long *coverage_trace;

/*
 * Sets up what processes share; must be called before any child is made. Returns whether there is
 * kcov.
 */
static inline int coverage_setup(void)
{
	coverage_known = mmap(NULL, sizeof(*coverage_known), PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return coverage_known != MAP_FAILED && !access(COVERAGE_DEVICE, R_OK | W_OK);
}

/*
 * Starts to trace the calling process's system calls; each process has to call it. Returns 0, or -1
 * with errno.
 */
static inline int coverage_begin(void)
{
	int device = open(COVERAGE_DEVICE, O_RDWR | O_CLOEXEC);
	void *trace;

	if (device < 0 || ioctl(device, COVERAGE_INIT_TRACE, COVERAGE_TRACE))
		return -1;
	trace = mmap(NULL, COVERAGE_TRACE * sizeof(long), PROT_READ | PROT_WRITE, MAP_SHARED,
		     device, 0);
	if (trace == MAP_FAILED || ioctl(device, COVERAGE_ENABLE, 0))
		return -1;
	coverage_trace = trace;
	return 0;
}

/* Forgets what was traced. To be called right before the system call of interest. */
static inline void coverage_clear(void)
{
	if (coverage_trace)
		__atomic_store_n(coverage_trace, 0, __ATOMIC_RELAXED);
}

static inline int coverage_add(uint64_t *set, unsigned int *nr, uint64_t what)
{
	uint64_t hash = what * 0x9e3779b97f4a7c15 >> 44, bit = 1ull << hash % 64;

	if (__atomic_fetch_or(&set[hash / 64], bit, __ATOMIC_RELAXED) & bit)
		return 0;
	__atomic_fetch_add(nr, 1, __ATOMIC_RELAXED);
	return 1;
}

/*
 * Returns whether the last system call has run code that none had run before. To be called right
 * after the system call.
 */
static inline int coverage_is_new(void)
{
	unsigned long last = 0, nr;
	int is_new = 0;

	if (!coverage_trace)
		return 0;
	nr = __atomic_load_n(coverage_trace, __ATOMIC_RELAXED);
	for (unsigned long i = 1; i <= nr; i++) {
		unsigned long place = coverage_trace[i];

		coverage_add(coverage_known->places, &coverage_known->nr_places, place);
		is_new |= coverage_add(coverage_known->edges, &coverage_known->nr_edges,
				       place ^ (last << 24 | last >> 40));
		last = place;
	}
	return is_new;
}

#endif /* WEFT_TEST_COVERAGE_H */
