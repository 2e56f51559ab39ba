/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Aspects that come and go while other threads run the code. What weaves and unweaves them is
 * weft.ko's own code, from wk_weave() and wk_unweave() down to the bytes (kmod/weave.c,
 * kmod/splice/), compiled for a process (kernel-shim/kernel.h). Here is what calls it: random plans
 * that the weaver's engine makes, as the device would hand them over.
 *
 * The threads that run the code are the CPUs of kernel-shim/cpu.h.
 */
#ifndef WEFT_TEST_LIVE_H
#define WEFT_TEST_LIVE_H

#include "loaded.h"

/* Aspects at a time, shadows of each, threads that run the code. */
enum { LIVE_ASPECTS = 8, LIVE_BATCH = 256, LIVE_THREADS = 2 };

struct live_aspect;

struct live {
	struct loaded *loaded;
	struct weave weave; /* .stubs: of the advice */
	uint8_t *area;	    /* reserved for trampolines */
	const struct body **bodies; /* those that are woven, ascending */
	size_t nr_bodies;
	struct live_aspect *aspects; /* LIVE_ASPECTS */
	uint64_t focus; /* where a thread stands, for the splice that is chosen */
	/*
	 * What was done. Of splices, by kind; .displaced: jumps over several instructions; .donors:
	 * springboards that have one. Of shadows: .shared, those that an earlier weave's splice
	 * took in. .switched: advice started or stopped.
	 */
	size_t splices[WEFT_SPLICE_KINDS], displaced, donors, shared, switched, unwoven, probed;
};

/* @bodies: what may be woven; they are sorted. Until live_deinit() nobody else writes to text. */
void live_init(struct live *live, struct loaded *loaded, const struct body **bodies,
	       size_t nr_bodies);

/* Weaves a random plan, if an aspect is free. */
void live_weave(struct live *live);

/* Starts or stops some advice of a random aspect that is woven. */
void live_switch(struct live *live);

/* Unweaves a random aspect. What it leaves behind goes later. */
void live_unweave(struct live *live);

/* Puts somebody's probe on a random splice, or takes it away. */
void live_probe(struct live *live);

/* Unweaves all, and waits until nothing is left of them. */
void live_unweave_all(struct live *live);

void live_deinit(struct live *live);

/*
 * What is wrong with the counts of the thread that calls it: hits that did not run the advice, and
 * advice that found another shadow than its own.
 */
uint64_t live_wrong_counts(const struct cpu *cpu);

/* How often its advice ran. */
uint64_t live_hits(const struct cpu *cpu);

#endif /* WEFT_TEST_LIVE_H */
