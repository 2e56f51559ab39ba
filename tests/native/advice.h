/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Advice for woven libraries. It preserves only the registers that the C calling convention makes
 * it preserve, and leaves rubbish in the others and in the flags. Its C is compiled to use general
 * registers only, as in a kernel: trampolines do not save vector registers.
 */
#ifndef WEFT_TEST_ADVICE_H
#define WEFT_TEST_ADVICE_H

#include "runtime/frame.h"

#include <stddef.h>
#include <stdint.h>

/* Entry points of advice, which only trampolines call. */
void advice_clobber(void);
void advice_clobber_frame(void);
void advice_record(void);

/* The registers and flags at an instruction, as advice or a single step has seen them. */
struct state {
	uint64_t address;	 /* The address of the instruction. */
	struct weft_frame frame; /* The registers and flags before it. */
};

/* The buffer that advice_record() fills. Only one thread may run that advice. */
struct record {
	size_t n, size;
	struct state states[];
};
extern struct record *advice_record_to;
extern const struct shadow *advice_shadows;

#endif /* WEFT_TEST_ADVICE_H */
