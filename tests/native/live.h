/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Splices that come and go while other threads run the code: weft.ko's protocol
 * (kmod/splice/poke.c, optimize.c, retire.c) with membarrier in the place of the interrupts that
 * make every processor forget what it has fetched, and with the threads' own word in the place of
 * the grace periods.
 */
#ifndef WEFT_TEST_LIVE_H
#define WEFT_TEST_LIVE_H

#include "loaded.h"

#include <stdatomic.h>

enum { LIVE_THREADS_MAX = 4, LIVE_BATCH = 256, LIVE_ARMED_MAX = 2048, LIVE_SLOT = 4096 };

/*
 * One that is in the text, or a place for one. Its patches and its shadows' numbers are the slot's
 * own.
 */
struct live_splice {
	struct splice splice;
	struct splice donor; /* where the splice is .hosted; .bytes with the slot's */
	unsigned int instructions; /* of the splice's window */
};

struct live {
	struct loaded *loaded;
	struct weave weave; /* .area: the slots */
	struct live_splice *slots;
	uint32_t *free, nr_free; /* slots */
	uint32_t *armed, nr_armed;
	const struct splice **written; /* what a step is for */
	uint32_t nr_written;
	const struct body **bodies; /* those that are woven */
	size_t nr_bodies;
	uint64_t lowest, highest; /* their addresses */
	uint8_t *taken; /* for each byte between: it is some window's */
	/* How often each thread has been outside of all woven code. */
	_Atomic unsigned long passes[LIVE_THREADS_MAX];
	unsigned int nr_threads;
	bool impatient; /* to see that somebody notices: no grace periods */
	/*
	 * What was done, by kind; .windows: jumps over several instructions; .hosts: springboards
	 * that have one.
	 */
	size_t armings[WEFT_SPLICE_KINDS], displaceable, donors, disarmings, grace_periods, syncs;
};

/* @bodies: what may be woven. */
void live_init(struct live *live, struct loaded *loaded, const struct body **bodies,
	       size_t nr_bodies, unsigned int nr_threads);

/* Arms a random batch, as far as there is room. */
void live_arm(struct live *live);

/* Takes out @n random ones. */
void live_disarm(struct live *live, uint32_t n);

void live_deinit(struct live *live);

#endif /* WEFT_TEST_LIVE_H */
