/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Weaves and unweaves aspects while other threads run the code. weft.ko's own code does it, from
 * wk_weave() and wk_unweave() down to the bytes (kmod/weave.c, kmod/splice/), compiled for a
 * process (kernel-shim/kernel.h). live.c calls these functions as kmod/device.c would, with random
 * plans of the weaver's splice engine.
 *
 * The threads that run the woven code are the CPUs of kernel-shim/cpu.h.
 */
#ifndef WEFT_TEST_LIVE_H
#define WEFT_TEST_LIVE_H

#include "loaded.h"

/*
 * LIVE_ASPECTS is the most aspects at a time, LIVE_BATCH the most shadows of each; LIVE_THREADS
 * threads run the woven code.
 */
enum { LIVE_ASPECTS = 8, LIVE_BATCH = 256, LIVE_THREADS = 2 };

struct live_aspect;

struct live {
	struct loaded *loaded; /* The libraries. */
	struct weave weave; /* .stubs are jumps to the advice. */
	uint8_t *area;	    /* Memory that is reserved for trampolines. */
	const struct body **bodies; /* The functions that may be woven, in ascending order. */
	size_t nr_bodies; /* The number of bodies. */
	struct live_aspect *aspects; /* An array of LIVE_ASPECTS elements. */
	/* An address where a thread stands still; the next splice is chosen near it. */
	uint64_t focus;
	/*
	 * Totals of what was done: splices by kind; among them jumps over several instructions
	 * (.displaced) and springboards with a donor (.donors); shadows that the splice of an
	 * earlier weave got as well (.shared); starts and stops of advice (.switched); unweaves;
	 * kprobes.
	 */
	size_t splices[WEFT_SPLICE_KINDS], displaced, donors, shared, switched, unwoven, probed;
};

/* Only @bodies are woven; they get sorted. Until live_deinit() nothing else may write to text. */
void live_init(struct live *live, struct loaded *loaded, const struct body **bodies,
	       size_t nr_bodies);

/* Weaves a random plan, unless LIVE_ASPECTS are woven or retiring. */
void live_weave(struct live *live);

/* Starts or stops some advice of a random woven aspect. */
void live_switch(struct live *live);

/* Unweaves a random aspect. Its trampolines are freed later, when no thread can be in them. */
void live_unweave(struct live *live);

/* Registers a kprobe on a random splice. If there is a kprobe already, removes that one instead. */
void live_probe(struct live *live);

/* Unweaves all aspects, and waits until all memory of theirs is freed. */
void live_unweave_all(struct live *live);

void live_deinit(struct live *live);

/*
 * Returns how many errors are in @cpu's counts: one for each aspect whose hits are not as many as
 * the runs of its advice, one for each miss, and one for each call of advice with a wrong shadow or
 * frame.
 */
uint64_t live_wrong_counts(const struct cpu *cpu);

/* Returns how often the thread of @cpu ran or counted advice. */
uint64_t live_hits(const struct cpu *cpu);

#endif /* WEFT_TEST_LIVE_H */
