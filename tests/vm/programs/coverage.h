/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which code of the kernel a system call has run, by /sys/kernel/debug/kcov: for generators of
 * input that keep inputs which reach new code. In a kernel without kcov nothing is ever new. The
 * sets of known code are shared with child processes; each child has to call coverage_begin().
 */
#ifndef WEFT_TEST_COVERAGE_H
#define WEFT_TEST_COVERAGE_H

#include <fcntl.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define COVERAGE_DEVICE "/sys/kernel/debug/kcov"
/* From <linux/kcov.h>. */
#define COVERAGE_INIT_TRACE _IOR('c', 1, unsigned long)
#define COVERAGE_ENABLE _IO('c', 100)

/*
 * COVERAGE_TRACE: words of a system call's trace, the rest is lost. COVERAGE_SET: bits of each set
 * below.
 */
enum { COVERAGE_TRACE = 1 << 16, COVERAGE_SET = 1 << 20 };

/*
 * Bit sets, indexed by hash: of the PCs that have run, and of edges, pairs of PCs that follow each
 * other.
 */
struct coverage_known {
	unsigned int nr_places, nr_edges;
	uint64_t places[COVERAGE_SET / 64], edges[COVERAGE_SET / 64];
};

static struct coverage_known *coverage_known;
/* the kernel's trace: a number, and so many PCs; NULL: no kcov */
static unsigned long *coverage_trace;

/* Call it before any child is made. Returns whether there is a kcov. */
static inline int coverage_setup(void)
{
	coverage_known = mmap(NULL, sizeof(*coverage_known), PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return coverage_known != MAP_FAILED && !access(COVERAGE_DEVICE, R_OK | W_OK);
}

/* Call it in each process: traces its system calls from now on. Returns 0, or -1 with errno. */
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

/* Forgets what was traced. Call it right before the system call. */
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
 * Call it right after the system call. Returns whether that has run code that no call had run
 * before.
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
